import type { TestDatabase } from '@understudy/testing';
import type { SyncJobCommand, SyncWarning } from '@understudy/sync-job';
import { casesOf, inBoth, it } from '@understudy/testing';
import type { SyncEnvironment } from '../../../src/environment.js';
import { SyncHarness, type Outcome } from '../sync-harness.js';

/** Tables with ids from sequences of many kinds, each with rows 1 to 100. */
const SHOP = `
  CREATE DOMAIN big_id AS bigint CHECK (VALUE > 0);
  CREATE SEQUENCE d_seq; CREATE TABLE d (id big_id PRIMARY KEY DEFAULT nextval('d_seq'), v text);
  CREATE SEQUENCE n_seq; CREATE TABLE n (id numeric(38,0) PRIMARY KEY DEFAULT nextval('n_seq'), v text);
  CREATE SEQUENCE x_seq; CREATE TABLE x (id text PRIMARY KEY DEFAULT 'INV-' || lpad(nextval('x_seq')::text, 6, '0'), v text);
  CREATE SEQUENCE l_seq; CREATE TABLE l (id bigint PRIMARY KEY DEFAULT nextval(('public.l_seq'::text)::regclass), v text);
  CREATE SEQUENCE g_seq; CREATE TABLE g (id bigint PRIMARY KEY, v text);
  CREATE FUNCTION g_id() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF new.id IS NULL THEN new.id := nextval('public.g_seq'); END IF; RETURN new; END $$;
  CREATE TRIGGER g_id BEFORE INSERT ON g FOR EACH ROW EXECUTE FUNCTION g_id();
  CREATE SEQUENCE "F seq"; CREATE TABLE f (id text PRIMARY KEY, v text);
  CREATE FUNCTION f_next() RETURNS text LANGUAGE plpgsql AS $$ DECLARE n bigint; BEGIN EXECUTE 'SELECT nextval(''"F seq"'')' INTO n; RETURN 'f' || n; END $$;
  ALTER TABLE f ALTER id SET DEFAULT f_next();
  CREATE SEQUENCE down_seq INCREMENT -5 MAXVALUE 1000 MINVALUE -5000 START 1000 CACHE 10; CREATE TABLE down (id numeric PRIMARY KEY DEFAULT nextval('down_seq'), v text);
  CREATE SEQUENCE both_seq INCREMENT 3; CREATE TABLE one (id int PRIMARY KEY DEFAULT nextval('both_seq'), v text); CREATE TABLE two (id text PRIMARY KEY DEFAULT 't' || nextval('both_seq'), v text);
  CREATE TABLE i (id smallint GENERATED ALWAYS AS IDENTITY (START 10 INCREMENT 2) PRIMARY KEY, v text);
  CREATE TABLE s (id serial PRIMARY KEY, v text);
  CREATE SCHEMA "Q.x"; CREATE SEQUENCE "Q.x"."S '1, |"; CREATE TABLE odd (id int PRIMARY KEY DEFAULT nextval('"Q.x"."S ''1, |"'), v text);
  CREATE SEQUENCE "T '2"; CREATE TABLE quo (id int PRIMARY KEY, v text);
  CREATE FUNCTION quo_id() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.id := nextval('public."T ''2"'); RETURN new; END $$;
  CREATE TRIGGER quo_id BEFORE INSERT ON quo FOR EACH ROW EXECUTE FUNCTION quo_id();
`;
const TABLES = ['d', 'n', 'x', 'l', 'g', 'f', 'down', 'one', 'two', 'i', 's', 'odd', 'quo'];
const ROWS = TABLES.map(
  (table) => `INSERT INTO ${table} (v) SELECT 'v' || n FROM generate_series(1, 100) n;`,
).join('\n');

/** The rules of columns, by name. */
type Rules = Parameters<SyncHarness['command']>[2][string];

describe('a job with sequences', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  async function copy(
    source: TestDatabase,
    target: TestDatabase,
    tables: readonly string[],
    more: Partial<SyncEnvironment> = {},
    columns: Rules = {},
  ): Promise<Outcome> {
    const outcome = await harness.run(commandOf(source, target, tables, columns), more);
    expect(outcome.failure).toBeUndefined();
    return outcome;
  }

  function commandOf(
    source: TestDatabase,
    target: TestDatabase,
    tables: readonly string[],
    columns: Rules = {},
  ): SyncJobCommand {
    const rules = Object.fromEntries(tables.map((table) => [table, columns]));
    return harness.command(source.url, target.url, rules);
  }

  /** Copies the tables. A dry run must predict the warnings about sequences. */
  async function expectWarnings(
    source: TestDatabase,
    target: TestDatabase,
    tables: readonly string[],
    expected: readonly SyncWarning[],
    columns: Rules = {},
  ): Promise<void> {
    const ofSequences = (warnings: readonly SyncWarning[] = []) =>
      warnings.filter(({ code }) => code.startsWith('sequence'));
    const trial = await harness.run({ ...commandOf(source, target, tables, columns), dryRun: true });
    const { completed } = await copy(source, target, tables, {}, columns);
    expect([ofSequences(trial.predicted?.warnings), ofSequences(completed?.warnings)]).toEqual([
      expected,
      expected,
    ]);
  }

  /** Inserts a row into each table on both sides. The target must make the ids that the source makes. */
  async function expectSameNext(source: TestDatabase, target: TestDatabase, tables = TABLES): Promise<void> {
    for (const table of tables) {
      const insert = `INSERT INTO ${table} (v) VALUES ('next') RETURNING id::text AS id`;
      const { rows } = await target.query(insert);
      expect([table, rows]).toEqual([table, (await source.query(insert)).rows]);
    }
  }

  it('continues sequences of any column type, and those that only a text, a trigger or a function names', async () => {
    const source = await harness.database(SHOP + ROWS);
    const target = await harness.targetDatabase();
    const { completed } = await copy(source, target, TABLES);
    expect(completed?.warnings.filter(({ code }) => code.startsWith('sequence'))).toEqual([]);
    const checked = completed?.verification.checks.filter(({ kind }) => kind === 'sequences') ?? [];
    expect(checked.map(({ tableIndex, ok }) => [TABLES[tableIndex], ok])).toEqual(
      TABLES.filter((table) => table !== 'f').map((table) => [table, true]),
    );
    await expectSameNext(source, target);
  });

  it('copies while other sequences of the source are renamed, dropped and created', async () => {
    const source = await harness.database(`${SHOP} ${ROWS}
      CREATE SEQUENCE renamed; CREATE SEQUENCE dropped; SELECT nextval('renamed'), nextval('dropped')`);
    const target = await harness.targetDatabase();
    const reached: SyncEnvironment['reached'] = async (step) => {
      if (step === 'indexes_built')
        await source.query(
          'ALTER SEQUENCE renamed RENAME TO "Re named"; DROP SEQUENCE dropped; CREATE SEQUENCE made',
        );
    };
    await copy(source, target, ['x', 's'], { reached });
    await expectSameNext(source, target, ['x', 's']);
  });

  const REPLACED = [
    ['rewritten', Number.MAX_SAFE_INTEGER],
    ['swapped', 0],
  ] as const;
  inBoth.each(casesOf(REPLACED, 1))(
    'continues the sequences of existing tables that are %s, and never moves one backwards',
    async (_, swapFromBytes) => {
      const source = await harness.database(SHOP + ROWS);
      const target = await harness.targetDatabase(
        `${SHOP} SELECT setval('x_seq', 5000); SELECT setval('down_seq', -4000)`,
      );
      await copy(source, target, TABLES, { copy: { ...harness.environment().copy, swapFromBytes } });
      const ahead = async (table: string) =>
        (await target.query(`INSERT INTO ${table} (v) VALUES ('next') RETURNING id::text AS id`)).rows[0]?.[
          'id'
        ];
      expect([await ahead('x'), await ahead('down')]).toEqual(['INV-005001', '-4005']);
      await expectSameNext(
        source,
        target,
        TABLES.filter((table) => !['x', 'down'].includes(table)),
      );
    },
  );

  it('warns about a sequence that it cannot read, and about a name that is computed', async () => {
    const source = await harness.database(
      `${SHOP} ${ROWS} CREATE TABLE full_ (id serial PRIMARY KEY); INSERT INTO full_ VALUES (1), (2147483647); CREATE TABLE dyn (id text PRIMARY KEY, v text);
       CREATE FUNCTION dyn_id() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.id := nextval((tg_table_name || '_seq')::regclass); RETURN new; END $$;
       CREATE TRIGGER dyn_id BEFORE INSERT ON dyn FOR EACH ROW EXECUTE FUNCTION dyn_id();
       CREATE ROLE lister LOGIN PASSWORD 'lister'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO lister`,
    );
    try {
      const url = new URL(source.url);
      url.username = 'lister';
      url.password = 'lister';
      const target = await harness.targetDatabase();
      const tables = ['s', 'x', 'g', 'dyn', 'full_'];
      await expectWarnings({ ...source, url: url.href }, target, tables, [
        { code: 'sequence_name_dynamic', tableIndex: 3 },
        ...[1, 2, 4].map((tableIndex) => ({ code: 'sequence_unknown', tableIndex }) as const),
      ]);
      await expectSameNext(source, target, ['s']);
    } finally {
      await source.query('DROP OWNED BY lister; DROP ROLE lister');
    }
  });

  it('warns about a sequence of a trigger function on which it has no privilege on the target', async () => {
    const schema = `
      CREATE SEQUENCE g_seq; CREATE TABLE g (id bigint PRIMARY KEY, v text);
      CREATE FUNCTION g_id() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.id := nextval('public.g_seq'); RETURN new; END $$;
      CREATE TRIGGER g_id BEFORE INSERT ON g FOR EACH ROW EXECUTE FUNCTION g_id();`;
    const source = await harness.database(schema + hundred(['g']));
    const target = await harness.targetDatabase(`${schema} CREATE ROLE writer LOGIN PASSWORD 'writer';
      ALTER TABLE g OWNER TO writer; GRANT ALL ON SCHEMA public TO writer`);
    try {
      const url = new URL(target.url);
      await target.query(`GRANT CREATE ON DATABASE "${url.pathname.slice(1)}" TO writer`);
      url.username = 'writer';
      url.password = 'writer';
      const warnings = [{ code: 'sequence_unknown', tableIndex: 0 }] as const;
      await expectWarnings(source, { ...target, url: url.href }, ['g'], warnings);
    } finally {
      await target.query('DROP OWNED BY writer; DROP ROLE writer');
    }
  });

  const COMPUTED = `
    CREATE SEQUENCE yr_seq MAXVALUE 9999; CREATE TABLE yr (id bigint PRIMARY KEY DEFAULT 20260000 + nextval('yr_seq'), v text);
    CREATE SEQUENCE neg_seq; CREATE TABLE neg (id bigint PRIMARY KEY DEFAULT -nextval('neg_seq'), v text);
    CREATE SEQUENCE rl_seq; CREATE TABLE rl (id bigint PRIMARY KEY DEFAULT nextval('rl_seq') * 2 - 1000, v text);
    CREATE TABLE own (id bigserial PRIMARY KEY, v text); ALTER TABLE own ALTER id SET DEFAULT 1000 - nextval('own_id_seq');
    CREATE SEQUENCE dn_seq INCREMENT -1; CREATE TABLE dn (id bigint PRIMARY KEY DEFAULT -nextval('dn_seq'), v text);
    CREATE SEQUENCE cast_seq; CREATE TABLE cast_ (id numeric PRIMARY KEY DEFAULT nextval('cast_seq')::int::numeric, v text);
    CREATE SEQUENCE dom_seq; CREATE DOMAIN own_id AS bigint DEFAULT -nextval('dom_seq'); CREATE TABLE dom (id own_id PRIMARY KEY, v text);
    CREATE SEQUENCE sql_seq; CREATE FUNCTION sql_id() RETURNS bigint LANGUAGE sql AS $$ SELECT -nextval('public.sql_seq') $$; CREATE TABLE inl (id bigint PRIMARY KEY DEFAULT sql_id(), v text);`;
  const COMPUTED_TABLES = ['yr', 'neg', 'rl', 'own', 'dn', 'cast_', 'dom', 'inl'];
  const hundred = (tables: readonly string[]) =>
    tables
      .map((table) => `INSERT INTO ${table} (v) SELECT 'v' || n FROM generate_series(1, 100) n;`)
      .join('\n');

  const COMPUTED_CASES = [
    ['existing', COMPUTED],
    ['created', ''],
  ] as const;
  inBoth.each(casesOf(COMPUTED_CASES, 1))(
    'continues sequences whose values defaults compute with, on %s tables',
    async (_, existing) => {
      const source = await harness.database(COMPUTED + hundred(COMPUTED_TABLES));
      const target = await harness.targetDatabase(existing);
      await expectWarnings(source, target, COMPUTED_TABLES, []);
      await expectSameNext(source, target, COMPUTED_TABLES);
    },
  );

  const FUNCTIONS = `
    CREATE SCHEMA fn; CREATE SCHEMA other;
    CREATE SEQUENCE public.dup_seq; CREATE SEQUENCE other.dup_seq; CREATE TABLE dup (id bigint PRIMARY KEY, v text);
    CREATE FUNCTION fn.dup_f() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$ BEGIN new.id := nextval('dup_seq'); RETURN new; END $$;
    CREATE TRIGGER t BEFORE INSERT ON dup FOR EACH ROW EXECUTE FUNCTION fn.dup_f();
    CREATE SEQUENCE public.two_seq; CREATE SEQUENCE other.two_seq; CREATE TABLE two (id bigint PRIMARY KEY, v text);
    CREATE FUNCTION fn.two_f() RETURNS trigger LANGUAGE plpgsql SET search_path = fn, other, public AS $$ BEGIN new.id := nextval('two_seq'); RETURN new; END $$;
    CREATE TRIGGER t BEFORE INSERT ON two FOR EACH ROW EXECUTE FUNCTION fn.two_f();
    CREATE SEQUENCE fn.amb_seq; CREATE SEQUENCE public.amb_seq; CREATE TABLE amb (id bigint PRIMARY KEY, v text);
    CREATE FUNCTION fn.amb_f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.id := nextval('amb_seq'); RETURN new; END $$;
    CREATE TRIGGER t BEFORE INSERT ON amb FOR EACH ROW EXECUTE FUNCTION fn.amb_f();`;

  const FUNCTION_CASES = [
    ['created', ''],
    ['existing', FUNCTIONS],
  ] as const;
  inBoth.each(casesOf(FUNCTION_CASES, 1))(
    'follows the search path that a function sets, and warns if the path of callers decides, on %s tables',
    async (_, existing) => {
      const tables = ['dup', 'two', 'amb'];
      const source = await harness.database(FUNCTIONS + hundred(tables));
      const target = await harness.targetDatabase(existing);
      await expectWarnings(source, target, tables, [{ code: 'sequence_name_dynamic', tableIndex: 2 }]);
      await expectSameNext(source, target, tables);
    },
  );

  const HELPERS = `
    CREATE SCHEMA "Lib"; CREATE SEQUENCE hlp_seq; CREATE TABLE hlp (id bigint PRIMARY KEY, v text);
    CREATE FUNCTION "Lib"."Next id"(depth int) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN IF depth > 0 THEN RETURN public.hlp_next(depth - 1); END IF; RETURN nextval('public.hlp_seq'); END $$;
    CREATE FUNCTION hlp_next(depth int) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN "Lib"."Next id"(depth); END $$;
    CREATE FUNCTION hlp_f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.id := public.HLP_next (2); RETURN new; END $$;
    CREATE TRIGGER t BEFORE INSERT ON hlp FOR EACH ROW EXECUTE FUNCTION hlp_f();
    CREATE TABLE fmt (id bigint PRIMARY KEY, v text); CREATE SEQUENCE fmt_seq;
    CREATE FUNCTION fmt_f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('SELECT nextval(%L)', 'public.' || tg_table_name || '_seq') INTO new.id; RETURN new; END $$;
    CREATE TRIGGER t BEFORE INSERT ON fmt FOR EACH ROW EXECUTE FUNCTION fmt_f();`;

  it('continues sequences of functions that the text of other functions calls, also in cycles', async () => {
    const source = await harness.database(HELPERS + hundred(['hlp', 'fmt']));
    const target = await harness.targetDatabase(HELPERS);
    await expectWarnings(source, target, ['hlp', 'fmt'], [{ code: 'sequence_name_dynamic', tableIndex: 1 }]);
    await expectSameNext(source, target, ['hlp']);
  });

  it('warns about a created table whose functions call others that use a missing sequence', async () => {
    const source = await harness.database(HELPERS + hundred(['hlp']));
    await expectWarnings(
      source,
      await harness.targetDatabase(),
      ['hlp'],
      [{ code: 'sequence_unknown', tableIndex: 0 }],
    );
  });

  it('warns about computed names in defaults that begin with a literal, in parsed functions and in domains', async () => {
    const tables = ['lit', 'inv', 'vc', 'par', 'dom', 'fix'];
    const source = await harness.database(`
      CREATE SEQUENCE seq_public; CREATE SEQUENCE s7; CREATE SEQUENCE fix_seq; CREATE SEQUENCE named_seq;
      CREATE TABLE lit (id bigint PRIMARY KEY DEFAULT nextval(('seq_' || current_schema())::regclass), v text);
      CREATE TABLE inv (id text PRIMARY KEY DEFAULT 'INV-' || nextval(('s' || '7')::regclass), v text);
      CREATE TABLE vc (id text PRIMARY KEY DEFAULT nextval(('s'::varchar || '7'::varchar)::regclass) || '-X', v text);
      CREATE FUNCTION par_id() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT nextval(('s' || '7')::regclass); END;
      CREATE TABLE par (id bigint PRIMARY KEY DEFAULT par_id(), v text);
      CREATE DOMAIN dom_id AS bigint DEFAULT nextval(('s' || '7')::regclass); CREATE TABLE dom (id dom_id PRIMARY KEY, v text);
      CREATE DOMAIN fix_id AS bigint DEFAULT nextval('public.named_seq'::text);
      CREATE TABLE fix (id text PRIMARY KEY DEFAULT nextval('fix_seq'::varchar::regclass)::text || '-X', n fix_id, v text);
      ${hundred(tables)}`);
    const target = await harness.targetDatabase('CREATE SEQUENCE seq_public; CREATE SEQUENCE s7');
    await expectWarnings(
      source,
      target,
      tables,
      [0, 1, 2, 3, 4].map((tableIndex) => ({ code: 'sequence_name_dynamic', tableIndex })),
    );
    await expectSameNext(source, target, ['fix']);
  });

  const SQL_CASES = [
    ['existing', true],
    ['created', false],
  ] as const;
  inBoth.each(casesOf(SQL_CASES, 1))(
    'warns about functions that compute SQL, and not about those with known SQL, on %s tables',
    async (_, exists) => {
      const body = (code: string, name: string) =>
        `CREATE FUNCTION ${name}_f() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE s text := 'public.${name}_seq'; BEGIN ${code}; RETURN new; END $$;`;
      const SQL: Readonly<Record<string, string>> = {
        joined: "EXECUTE 'SELECT next' || 'val(''public.joined' || '_seq'')' INTO new.id",
        given: "s := 'SELECT ' || 'next' || 'val(' || quote_literal(s) || ')'; EXECUTE s INTO new.id",
        reversed: "EXECUTE reverse(')''qes_desrever.cilbup''(lavtxen TCELES') INTO new.id",
        called: 'new.id := public.inner_f()',
        xml: "new.id := (xpath('//n/text()', query_to_xml('SELECT nex' || 'tval(''' || s || ''') AS n', false, false, '')))[1]::text",
        quoted: 'new.id := pg_catalog."nextval" (s::regclass)',
        known: `EXECUTE format('SELECT nextval(''public.known_seq'')'); EXECUTE 'SELECT nextval(''public.known_seq'')' INTO new.id`,
        logs: `EXECUTE format('SELECT %L::int, %I', 1, lower('ID')) USING new; new.id := nextval('public.logs_seq') -- execute\n`,
      };
      const inner = `CREATE FUNCTION inner_f() RETURNS int LANGUAGE plpgsql AS $$ DECLARE i int; BEGIN EXECUTE 'SELECT ' || 'nextval(''' || 'called_seq'')' INTO i; RETURN i; END $$;`;
      const tables = Object.keys(SQL);
      const schema = tables
        .map(
          (name) => `CREATE SEQUENCE ${name}_seq; CREATE TABLE ${name} (id int PRIMARY KEY, v text);
          ${body(SQL[name] ?? '', name)} CREATE TRIGGER t BEFORE INSERT ON ${name} FOR EACH ROW EXECUTE FUNCTION ${name}_f();`,
        )
        .join('\n');
      const source = await harness.database(inner + schema);
      const target = await harness.targetDatabase(exists ? inner + schema : inner);
      await expectWarnings(
        source,
        target,
        tables,
        [0, 1, 2, 3, 4, 5].map((tableIndex) => ({ code: 'sequence_name_dynamic', tableIndex })),
      );
    },
  );

  const WRITERS = `
    CREATE SEQUENCE def_seq; CREATE TABLE def (id int PRIMARY KEY, v text);
    CREATE VIEW def_rows AS SELECT * FROM def; CREATE VIEW def_view AS SELECT * FROM def_rows; ALTER VIEW def_view ALTER id SET DEFAULT nextval('def_seq');
    CREATE SEQUENCE ins_seq; CREATE TABLE ins (id int PRIMARY KEY, v text); CREATE VIEW ins_view AS SELECT id AS a, v FROM ins;
    CREATE FUNCTION ins_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('INSERT INTO %I VALUES ($1, $2)', 'i' || 'ns') USING nextval('public.ins_seq'), new.v; RETURN new; END $$;
    CREATE TRIGGER t INSTEAD OF INSERT ON ins_view FOR EACH ROW EXECUTE FUNCTION ins_row();
    CREATE SEQUENCE rul_seq; CREATE TABLE rul (id int PRIMARY KEY, v text); CREATE VIEW rul_view AS SELECT v FROM rul;
    CREATE RULE r AS ON INSERT TO rul_view DO INSTEAD INSERT INTO rul VALUES (nextval('rul_seq'), new.v);
    CREATE SCHEMA "Api"; CREATE SEQUENCE "Api"."Fun seq"; CREATE TABLE "Fun t" (id int PRIMARY KEY, v text);
    CREATE FUNCTION fun_row(v text) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := nextval('"Api"."Fun seq"'); BEGIN INSERT INTO public."Fun t" VALUES (n, v); RETURN n; END $$;
    CREATE SEQUENCE pro_seq; CREATE TABLE pro (id int PRIMARY KEY, v text);
    CREATE PROCEDURE pro_row(v text) LANGUAGE sql BEGIN ATOMIC INSERT INTO pro VALUES (nextval('pro_seq'), v); END;
    CREATE SEQUENCE other_seq; CREATE FUNCTION other() RETURNS bigint LANGUAGE sql AS $$ SELECT nextval('public.other_seq') $$;`;
  const WRITE = `
    INSERT INTO def_view (v) VALUES ('v'); INSERT INTO ins_view (v) VALUES ('v'); INSERT INTO rul_view (v) VALUES ('v');
    SELECT fun_row('v'); CALL pro_row('v'); SELECT other();`;

  it('continues sequences with which views, rules, functions and procedures write rows of a table', async () => {
    const source = await harness.database(WRITERS + WRITE.repeat(3));
    const target = await harness.targetDatabase(WRITERS);
    const tables = ['def', 'ins', 'rul', '"Fun t"', 'pro'];
    const { completed } = await copy(source, target, tables);
    expect(completed?.warnings.filter(({ code }) => code.startsWith('sequence'))).toEqual([]);
    expect(completed?.verification.checks.filter(({ kind }) => kind === 'sequences')).toEqual(
      [0, 1, 2, 3, 4].map((tableIndex) => ({ kind: 'sequences', tableIndex, ok: true, lookedAt: 1 })),
    );
    await target.query(WRITE);
    for (const table of tables)
      expect((await target.query(`SELECT max(id) AS last FROM ${table}`)).rows).toEqual([{ last: 4 }]);
    // No table of the job has to do with this sequence.
    expect((await target.query('SELECT last_value::int AS last FROM other_seq')).rows).toEqual([{ last: 1 }]);
  });

  const SHARED = `
    CREATE TABLE par (id serial PRIMARY KEY, v text) PARTITION BY RANGE (id); CREATE TABLE par_1 PARTITION OF par FOR VALUES FROM (1) TO (1000);
    CREATE SEQUENCE part_seq START 500; ALTER TABLE par_1 ALTER id SET DEFAULT nextval('part_seq');
    CREATE TABLE seen (id serial PRIMARY KEY, v text); CREATE VIEW seen_view AS SELECT * FROM seen;
    CREATE SEQUENCE view_seq START 1000000; ALTER VIEW seen_view ALTER id SET DEFAULT nextval('view_seq');
    CREATE SEQUENCE low_seq; CREATE TABLE both_ (id int PRIMARY KEY DEFAULT nextval('low_seq'), v text); CREATE SEQUENCE high_seq START 900 OWNED BY both_.id;
    CREATE TABLE unused (id serial PRIMARY KEY, v text); CREATE VIEW unused_view AS SELECT * FROM unused;
    ALTER VIEW unused_view ALTER id SET DEFAULT nextval('view_seq');
    CREATE SEQUENCE tri_seq START 700; CREATE FUNCTION tri_next() RETURNS bigint LANGUAGE sql AS $$ SELECT nextval('public.tri_seq') $$;
    CREATE FUNCTION tri_id() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.id := public.tri_next(); RETURN new; END $$;
    CREATE TABLE tri (id serial PRIMARY KEY, n bigint DEFAULT tri_next(), v text) PARTITION BY RANGE (id);
    CREATE TABLE tri_1 PARTITION OF tri FOR VALUES FROM (1) TO (600); CREATE TABLE tri_2 PARTITION OF tri FOR VALUES FROM (600) TO (5000);
    CREATE TRIGGER tri_id BEFORE INSERT ON tri_2 FOR EACH ROW EXECUTE FUNCTION tri_id();`;

  const SHARED_CASES = [
    ['existing', SHARED],
    ['created', ''],
  ] as const;
  inBoth.each(casesOf(SHARED_CASES, 1))(
    'continues several sequences that feed one column from other ranges, in %s tables',
    async (_, existing) => {
      const source = await harness.database(
        `${SHARED} ${hundred(['par', 'par_1', 'seen', 'seen_view', 'both_', 'unused_view', 'tri', 'tri_2']).replaceAll('100)', '3)')}
       INSERT INTO both_ SELECT nextval('high_seq'), 'v'`,
      );
      const target = await harness.targetDatabase(existing);
      const tables = ['par', 'seen', 'both_', 'unused', 'tri'];
      await expectWarnings(source, target, tables, []);
      await expectSameNext(source, target, [
        ...tables,
        'par_1',
        'tri_2',
        ...(existing === '' ? [] : ['seen_view']),
      ]);
    },
  );

  it('moves sequences beyond the values of masked columns, and warns if these do not show the values in use', async () => {
    const tables = ['s', 'par', 'x', 'lap', 'flt', 'g'];
    const source = await harness.database(`${SHOP} ${SHARED}
      CREATE SEQUENCE lap_seq MAXVALUE 5000 CYCLE; CREATE TABLE lap (id int PRIMARY KEY DEFAULT nextval('lap_seq'), v text);
      CREATE SEQUENCE flt_seq; CREATE TABLE flt (id float8 PRIMARY KEY DEFAULT nextval('flt_seq'), v text);
      ${hundred([...tables, 'par_1'])}`);
    const target = await harness.targetDatabase();
    const masked = { type: 'svc', algorithm: 'sequence', params: { start: 101 } };
    await expectWarnings(
      source,
      target,
      tables,
      [1, 2, 3, 4, 5].map((tableIndex) => ({ code: 'sequence_unknown', tableIndex })),
      { id: masked },
    );
    for (const table of ['s', 'par'])
      await target.query(`INSERT INTO ${table} (v) SELECT 'next' FROM generate_series(1, 9)`);
  });

  const EXHAUSTED = `
    CREATE SEQUENCE up_seq MAXVALUE 100; CREATE TABLE up (id int PRIMARY KEY DEFAULT nextval('up_seq'), v text);
    CREATE SEQUENCE step_seq INCREMENT 3 MAXVALUE 300; CREATE TABLE step (id int PRIMARY KEY DEFAULT nextval('step_seq'), v text);
    CREATE SEQUENCE low_seq INCREMENT -1 MINVALUE -100; CREATE TABLE low (id numeric PRIMARY KEY DEFAULT nextval('low_seq'), v text);
    CREATE SEQUENCE text_seq MAXVALUE 100; CREATE TABLE texts (id text PRIMARY KEY DEFAULT 't' || nextval('text_seq'), v text);
    CREATE TABLE own (id smallint GENERATED ALWAYS AS IDENTITY (MAXVALUE 100) PRIMARY KEY, v text);`;

  const EXHAUSTED_CASES = [
    ['created', ''],
    ['existing', EXHAUSTED],
  ] as const;
  inBoth.each(casesOf(EXHAUSTED_CASES, 1))(
    'leaves no sequence of %s tables that returns its last value again',
    async (_, existing) => {
      const tables = ['up', 'step', 'low', 'texts', 'own'];
      const source = await harness.database(EXHAUSTED + hundred(tables));
      const target = await harness.targetDatabase(existing);
      await copy(source, target, tables);
      for (const table of tables)
        await expect(target.query(`INSERT INTO ${table} (v) VALUES ('next')`)).rejects.toThrow(
          /^nextval: reached/,
        );
    },
  );

  it('does not move an existing sequence if the switch is rolled back after it', async () => {
    const source = await harness.database(`${EXHAUSTED} ${hundred(['up'])}`);
    const target = await harness.targetDatabase(EXHAUSTED);
    const reached: SyncEnvironment['reached'] = (step) => {
      if (step === 'before_commit') throw new Error('the attempt ends');
      return undefined;
    };
    await harness.run(harness.command(source.url, target.url, { up: {} }), { reached });
    expect((await target.query("INSERT INTO up (v) VALUES ('next') RETURNING id")).rows).toEqual([{ id: 1 }]);
  });

  it('continues the sequence of a table whose name is an alias in the queries of the agent', async () => {
    const names = ['q', 's', 'm', 'copied'];
    const source = await harness.database(
      names
        .map(
          (name) =>
            `CREATE TABLE ${name} (id serial PRIMARY KEY, ${name} int, v text); INSERT INTO ${name} (v) VALUES ('v');`,
        )
        .join(' '),
    );
    const target = await harness.targetDatabase();
    await copy(source, target, names);
    await expectSameNext(source, target, names);
  });

  it('warns about sequences of the target with another increment, CYCLE option or bounds', async () => {
    const names = ['same', 'wide', 'narrow', 'inc', 'cyc', 'own', 'fun', 'down'];
    const define = (changes: string) => `
      ${names.map((name) => `CREATE SEQUENCE ${name}_seq AS int; CREATE TABLE ${name} (id bigint DEFAULT nextval('${name}_seq'), v text);`).join('')}
      ALTER SEQUENCE own_seq OWNED BY own.id; ALTER TABLE fun ALTER id DROP DEFAULT; ALTER SEQUENCE down_seq INCREMENT -1 MAXVALUE 10 MINVALUE -10;
      CREATE FUNCTION fun_id() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.id := nextval('public.fun_seq'); RETURN new; END $$;
      CREATE TRIGGER fun_id BEFORE INSERT ON fun FOR EACH ROW EXECUTE FUNCTION fun_id(); ${changes}`;
    const source = await harness.database(define(''));
    const target = await harness.targetDatabase(
      define(`ALTER SEQUENCE same_seq CACHE 9; ALTER SEQUENCE wide_seq AS bigint; ALTER SEQUENCE narrow_seq MAXVALUE 2147483646; ALTER SEQUENCE inc_seq INCREMENT 2;
        ALTER SEQUENCE cyc_seq CYCLE; ALTER SEQUENCE own_seq MINVALUE -1; ALTER SEQUENCE fun_seq MAXVALUE 99; ALTER SEQUENCE down_seq MINVALUE -9`),
    );
    const warnings = names.flatMap((name, tableIndex) =>
      ['same', 'wide'].includes(name) ? [] : [{ code: 'sequence_options_differ', tableIndex } as const],
    );
    await expectWarnings(source, target, names, warnings);
    // The definitions of created tables are those of the source.
    await expectWarnings(source, await harness.targetDatabase(), names, []);
  });

  const LAST_ROWS = `
    CREATE TABLE up (id serial PRIMARY KEY, v text); CREATE TABLE "I d" (id smallint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, v text);
    CREATE SEQUENCE low_seq INCREMENT -1 MINVALUE -99; CREATE TABLE low (id numeric PRIMARY KEY DEFAULT nextval('low_seq'), v text);
    CREATE SEQUENCE flt_seq; CREATE TABLE flt (id float8 PRIMARY KEY DEFAULT nextval('flt_seq'), v text);
    CREATE DOMAIN real_id AS real; CREATE DOMAIN own_id AS real_id; CREATE SEQUENCE dom_seq; CREATE TABLE dom (id own_id PRIMARY KEY DEFAULT nextval('dom_seq'), v text);
    CREATE SEQUENCE wide_seq; CREATE TABLE wide (id int PRIMARY KEY DEFAULT nextval('wide_seq'), v text);
    CREATE DOMAIN digits AS numeric(5,1); CREATE SEQUENCE dig_seq INCREMENT -1; CREATE TABLE dig (id digits PRIMARY KEY DEFAULT nextval('dig_seq'), v text);`;
  const LAST_TABLES = ['up', '"I d"', 'low', 'flt', 'dom', 'wide', 'dig'];
  const SENTINELS = `INSERT INTO up VALUES (2147483647); INSERT INTO "I d" VALUES (32767); INSERT INTO low VALUES (-99); INSERT INTO flt VALUES (9e18); INSERT INTO dom VALUES (500); INSERT INTO wide VALUES (2147483647); INSERT INTO dig VALUES (-9999);`;

  const LAST_CASES = [
    ['existing', LAST_ROWS],
    ['created', ''],
  ] as const;
  inBoth.each(casesOf(LAST_CASES, 1))(
    'continues sequences although a row has the last value or a later one, in %s tables',
    async (_, existing) => {
      const source = await harness.database(
        LAST_ROWS + hundred(LAST_TABLES).replaceAll('100)', '9)') + SENTINELS,
      );
      const target = await harness.targetDatabase(existing);
      await expectWarnings(source, target, LAST_TABLES, []);
      await expectSameNext(source, target, LAST_TABLES);
    },
  );

  it('moves a sequence only within its bounds, and accepts one that is exhausted or has begun again', async () => {
    const source = await harness.database(`
      CREATE TABLE tiny (id numeric PRIMARY KEY, v text); CREATE SEQUENCE tiny_seq MAXVALUE 3 OWNED BY tiny.id;
      ALTER TABLE tiny ALTER id SET DEFAULT nextval('tiny_seq');
      INSERT INTO tiny (v) SELECT 'v' FROM generate_series(1, 3); INSERT INTO tiny VALUES ('NaN', 'n'), (1e30, 'large'), (-7.5, 'low');
      CREATE SEQUENCE round_seq MAXVALUE 4 CYCLE; CREATE TABLE round (id text DEFAULT 'r' || nextval('round_seq'), v text);
      INSERT INTO round (v) SELECT 'v' FROM generate_series(1, 6);
      CREATE SEQUENCE lap_seq MAXVALUE 4 CYCLE; CREATE TABLE lap (id int PRIMARY KEY DEFAULT nextval('lap_seq'), v text);
      INSERT INTO lap (v) SELECT 'v' FROM generate_series(1, 4); DELETE FROM lap WHERE id < 4; INSERT INTO lap (v) VALUES ('second lap');
      CREATE TABLE spent (id serial PRIMARY KEY, v text); INSERT INTO spent (v) VALUES ('v')`);
    const target = await harness.targetDatabase(
      "CREATE TABLE spent (id serial PRIMARY KEY, v text); SELECT setval('spent_id_seq', 2147483647)",
    );
    await copy(source, target, ['tiny', 'round', 'lap', 'spent']);
    expect((await target.query('SELECT last_value::int AS last FROM tiny_seq')).rows).toEqual([{ last: 3 }]);
    await expectSameNext(source, target, ['round', 'lap']);
  });
});
