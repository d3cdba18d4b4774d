import type { SyncJobCommand } from '@understudy/sync-job';
import { casesOf, inBoth, inRelease, it } from '@understudy/testing';
import { rowsOf, SyncHarness, type Outcome, type Rules } from '../sync-harness.js';

const SCHEMA = 'CREATE TABLE people (id int PRIMARY KEY, sex text, name text, mail text)';
const ROWS = `; INSERT INTO people SELECT i, CASE i % 2 WHEN 0 THEN 'F' ELSE 'M' END, 'Ann', 'a' || i FROM generate_series(1, 200) i`;
const list = (count: number) => ({ type: 'list', values: Array.from({ length: count }, (_, i) => `v${i}`) });
const integers = (min: number, max: number) => ({
  type: 'svc',
  algorithm: 'int_between',
  params: { min, max },
});
const SEX = { type: 'list', values: ['F', 'M'] };

describe('a job with rules that set differs', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  async function run(
    rules: Readonly<Record<string, unknown>>,
    dryRun = false,
  ): Promise<{ outcome: Outcome; rows: string[] }> {
    const source = await harness.database(SCHEMA + ROWS);
    const target = await harness.database(SCHEMA);
    const command = harness.command(source.url, target.url, { people: rules }, { dryRun });
    const outcome = await harness.run(command);
    return { outcome, rows: await rowsOf(target, 'people') };
  }

  it('is refused before a row is copied if a rule makes fewer than 20 values', async () => {
    const { outcome, rows } = await run({ sex: { ...SEX, differs: true } });
    expect(outcome.failure).toEqual({ code: 'too_few_values', tableIndex: 0, columnIndex: 0 });
    expect(rows).toEqual([]);
  });

  it('is predicted to fail by a dry run if a rule makes too few values', async () => {
    const { outcome } = await run({ sex: { ...SEX, differs: true } }, true);
    expect(outcome.predicted?.failures).toContainEqual({
      code: 'too_few_values',
      tableIndex: 0,
      columnIndex: 0,
    });
  });
});

describe('a job on columns that the policy protects', () => {
  // 400 rows; each of the 8 blood groups and of the 40 ages occurs.
  const schema = `CREATE TABLE people (id int PRIMARY KEY, blood text, age int, email text, note text)`;
  const rows = `; INSERT INTO people SELECT i, 'group ' || i % 8, 20 + i % 40, 'user' || i || '@example.com', 'n' FROM generate_series(1, 400) i`;
  const noGuess: Rules = { blood: list(8), age: integers(1, 9), email: list(9), note: list(9) };
  let harness: SyncHarness;
  let both: Awaited<ReturnType<typeof databases>>;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    both = await databases();
  });
  afterAll(() => harness.stop());

  async function databases() {
    return { source: await harness.database(schema + rows), target: await harness.database(schema) };
  }

  /** Runs a job under a policy that protects all columns but the key. */
  function run(
    { source, target }: Awaited<ReturnType<typeof databases>>,
    rules: Rules,
    more: Partial<SyncJobCommand> = {},
  ): Promise<Outcome> {
    const { policy } = harness.environment();
    const strict = {
      ...policy,
      protectsColumns: true,
      refusesPreserve: (_: unknown, { name }: { readonly name: string }) => name !== 'id',
    };
    const command = harness.command(source.url, target.url, { people: { ...noGuess, ...rules } }, more);
    return harness.run(command, { policy: strict });
  }

  const skewed = (guess: string) => ({
    type: 'list',
    values: [
      { value: guess, weight: 39_857 },
      ...Array.from({ length: 3_000 }, (_, i) => ({ value: `x${i}`, weight: 1 })),
    ],
  });

  it('refuses a rule that never gives a row its own value, with the same code for right and wrong guesses', async () => {
    for (const guess of [1, 19]) {
      const rule = { ...skewed(`group ${guess}`), differs: true };
      const { failure } = await run(both, { blood: rule }, { jobId: `job_${guess}` });
      expect(failure).toEqual({ code: 'differs_refused', tableIndex: 0, columnIndex: 0 });
    }
    expect(await rowsOf(both.target, 'people')).toEqual([]);
  });

  it('refuses a template that must differ, whether a row has the guessed value or not', async () => {
    const email = { generator: 'template', pattern: '{{note}}', differs: true };
    for (const guess of [0, 19]) {
      const note = skewed(`user${guess * 40 + 1}@example.com`);
      const { failure } = await run(both, { note, email }, { jobId: `job_${guess}`, dryRun: false });
      expect(failure).toEqual({ code: 'differs_refused', tableIndex: 0, columnIndex: 2 });
    }
    const { predicted } = await run(both, { note: skewed('user1@example.com'), email }, { dryRun: true });
    expect(predicted?.failures).toEqual([{ code: 'differs_refused', tableIndex: 0, columnIndex: 2 }]);
  });

  it('refuses differs on an unprotected column whose consistent rule a protected column has, too', async () => {
    const codes = `CREATE TABLE codes (id int PRIMARY KEY, code text UNIQUE);`;
    const source = await harness.database(`${schema + rows}; ${codes} INSERT INTO codes VALUES (1, 'zz1')`);
    const target = await harness.database(`${schema}; ${codes}`);
    const { policy } = harness.environment();
    const strict = {
      ...policy,
      protectsColumns: true,
      refusesPreserve: (_: unknown, { name }: { readonly name: string }) => name === 'email',
    };
    const rule = { ...skewed('user1@example.com'), consistent: true };
    const guess = (differs: object) =>
      harness.run(
        harness.command(
          source.url,
          target.url,
          {
            people: { ...noGuess, email: { ...rule, unique: true } },
            codes: { code: { ...rule, ...differs } },
          },
          { dryRun: true },
        ),
        { policy: strict },
      );
    const { predicted: refused } = await guess({ differs: true });
    expect(refused?.failures).toEqual([{ code: 'differs_refused', tableIndex: 1, columnIndex: 0 }]);
    const { predicted } = await guess({});
    expect(predicted?.failures).toEqual([]);
  });

  it('completes the same jobs without differs, and gives a row its own value as often as another', async () => {
    const email = { generator: 'template', pattern: '{{note}}' };
    const { completed, failure } = await run(both, {
      blood: skewed('group 1'),
      note: skewed('user1@example.com'),
      email,
    });
    expect(failure).toBeUndefined();
    expect(completed?.warnings).toEqual([]);
    const { rows: shares } = await both.target.query(
      `SELECT count(*) FILTER (WHERE id % 8 = 1)::int AS own, count(*) FILTER (WHERE id % 8 = 2)::int AS other
         FROM people WHERE blood = 'group 1'`,
    );
    expect(Number(shares[0]?.['own'])).toBeGreaterThan(40);
    expect(Number(shares[0]?.['other'])).toBeGreaterThan(40);
  });

  it('warns that a model rule, which differs by default, can repeat the original', async () => {
    const rules = {
      note: { generator: 'en_US/first_names' },
      email: { generator: 'en_US/first_names', differs: false },
    };
    const warning = { code: 'differs_off', tableIndex: 0, columnIndex: 3 };
    const dry = await run(both, rules, { dryRun: true });
    expect(dry.predicted).toMatchObject({ failures: [], warnings: [warning] });
    const { completed } = await run(both, rules);
    expect(completed?.warnings).toEqual([warning]);
  });

  it('refuses a consistent range of integers, whose values would show which originals are inside', async () => {
    for (const guess of [5, 24]) {
      const age = { ...integers(guess * 4, guess * 4 + 1), consistent: true };
      const { failure } = await run(both, { age }, { jobId: `job_${guess}` });
      expect(failure).toEqual({ code: 'consistent_range_refused', tableIndex: 0, columnIndex: 1 });
    }
    const whole = { ...integers(-(2 ** 31), 2 ** 31 - 1), consistent: true };
    expect((await run(both, { age: whole })).failure).toBeUndefined();
    const numbers = { type: 'list', values: [1, 2, 3], consistent: true };
    expect((await run(both, { age: numbers }, { jobId: 'job_2' })).failure).toBeUndefined();
  });

  it('gives no different result for a unique column whose originals all are inside the range', async () => {
    const unique = '; CREATE UNIQUE INDEX ON people (age); ';
    const source = await harness.database(
      `${schema}; INSERT INTO people SELECT i, 'a', i, 'b', 'c' FROM generate_series(1, 100) i${unique}`,
    );
    const target = await harness.database(schema + unique);
    const values = async (min: number): Promise<readonly number[]> => {
      const age = integers(min, min + 399);
      const job = { jobId: `job_${min}`, seed: 7 };
      expect((await run({ source, target }, { age }, job)).failure).toBeUndefined();
      const all = (await rowsOf(target, 'people')).length;
      const half = {
        tables: [{ name: 'people', columns: columnsOf({ ...noGuess, age }), subset: { where: 'id > 50' } }],
      };
      const ages = async () =>
        new Map(
          (await target.query('SELECT id, age FROM people')).rows.map((row) => [row['id'], row['age']]),
        );
      const before = await ages();
      expect(
        (await run({ source, target }, { age }, { ...half, ...job, jobId: `half_${min}` })).failure,
      ).toBeUndefined();
      const after = await ages();
      return [all, [...after].filter(([id, value]) => before.get(id) === value).length];
    };
    // The rows of a subset get other values, whether or not the range contains all originals.
    const [all, same = 0] = await values(1);
    expect(all).toBe(100);
    expect(same).toBeLessThan(10);
    expect((await values(2))[1]).toBeLessThan(10);
  });

  it('refuses a private model that must produce a chosen text', async () => {
    const chosen = { constraints: { starts_with: 'user7' } };
    const train = { train: { min_values: 5, order: 2 } };
    const { failure } = await run(both, { email: { generator: 'private/mails', ...train, ...chosen } });
    expect(failure).toEqual({ code: 'model_text_refused', tableIndex: 0, columnIndex: 2 });
    const { completed } = await run(
      both,
      { email: { generator: 'private/mails', ...train } },
      { jobId: 'job_2' },
    );
    expect(completed?.warnings).toEqual([{ code: 'differs_off', tableIndex: 0, columnIndex: 2 }]);
    const nested = {
      type: 'model',
      source: 'private/mails',
      generation: { mode: 'sentence', params: { starts_with: 'user7' } },
    };
    expect((await run(both, { note: nested }, { jobId: 'job_3' })).failure?.code).toBe('model_text_refused');
  });

  describe('whose rules use text of a private model', () => {
    const model = { generator: 'private/mails' };
    let produced: readonly string[];

    beforeAll(async () => {
      const { failure } = await run(both, { email: { ...model, train: { min_values: 5, order: 2 } } });
      expect(failure).toBeUndefined();
      const { rows: emails } = await both.target.query('SELECT email FROM people ORDER BY length(email), id');
      produced = emails.map(({ email }) => String(email));
    });

    const failsFor = (guesses: readonly string[]) => ({
      ...model,
      transform: `if(contains([${guesses.map((guess) => `'${guess}'`).join(', ')}], value), 1 / 0, value)`,
    });

    inRelease(
      'refuses a transform that fails for some guesses, and does so for right and wrong guesses',
      async () => {
        const originals = Array.from({ length: 60 }, (_, i) => `user${i + 1}@example.com`);
        const codes = { free: [] as unknown[], strict: [] as unknown[] };
        for (const [i, guesses] of [originals, produced.slice(0, 60)].entries()) {
          const rules = { email: failsFor(guesses) };
          const jobId = `guess_${i}`;
          const free = harness.command(both.source.url, both.target.url, { people: rules }, { jobId });
          codes.free.push((await harness.run(free)).failure?.code);
          codes.strict.push((await run(both, rules, { jobId: `${jobId}_strict` })).failure);
        }
        const refused = { code: 'model_text_refused', tableIndex: 0, columnIndex: 2 };
        expect(codes).toEqual({ free: [undefined, 'generation_failed'], strict: [refused, refused] });
      },
    );

    const USES: readonly [string, Rules, number][] = [
      ['compares it', { note: template("{{email == 'a'}}") }, 3],
      ['must be unique', { note: { ...template('{{email}}'), unique: true } }, 3],
      ['accepts only some texts, such as numbers', { age: template('{{email}}') }, 1],
    ];
    inBoth.each(casesOf(USES, 1))(
      'refuses in a dry run a column that reads the text of another column and %s',
      async (_, rules, column) => {
        const { predicted } = await run(both, { email: model, ...rules }, { dryRun: true });
        expect(predicted?.failures).toEqual([
          { code: 'model_text_refused', tableIndex: 0, columnIndex: column },
        ]);
      },
    );

    it('refuses before the training, if the job trains the model itself', async () => {
      const train = { min_values: 5, order: 2 };
      const uses: readonly [Rules, number][] = [
        [{ email: { ...model, train }, note: template("{{email == 'a'}}") }, 3],
        [{ email: { generator: 'private/never', train, transform: "value == 'a'" } }, 2],
      ];
      for (const [rules, columnIndex] of uses) {
        const { failure, trained } = await run(both, rules, { jobId: 'trains' });
        expect(failure).toEqual({ code: 'model_text_refused', tableIndex: 0, columnIndex });
        expect(trained).toEqual([]);
      }
    });

    it('refuses a unique key of two columns, one of which reads the text of a third', async () => {
      const unique = '; CREATE UNIQUE INDEX ON people (blood, note); ';
      const source = await harness.database(schema + rows);
      const target = await harness.database(schema + unique);
      const rules = { email: model, note: template('{{email}}'), blood: list(8) };
      expect((await run({ source, target }, rules)).failure).toEqual({
        code: 'model_text_refused',
        tableIndex: 0,
        columnIndex: 3,
      });
    });

    it('refuses texts in a unique key that are not generated again, if a rule can choose one of them', async () => {
      const unique = '; CREATE UNIQUE INDEX ON people (email, note); ';
      const source = await harness.database(schema + rows);
      const target = await harness.database(schema + unique);
      const chosen = {
        let: {
          m: { type: 'model', source: 'private/mails', nullable: 0.5 },
          first: { type: 'svc', algorithm: 'sequence' },
        },
        body: '{{first}}{{m}}',
      };
      const failure = async (email: object, jobId: string) =>
        (await run({ source, target }, { email, note: list(200) }, { jobId })).failure;
      const refused = { code: 'model_text_refused', tableIndex: 0, columnIndex: 2 };
      expect(await failure({ generator: chosen }, 'chosen')).toEqual(refused);
      expect(await failure(model, 'whole')).toBeUndefined();
    });

    it('refuses a document with such text in a unique key', async () => {
      const documents = 'CREATE TABLE documents (id int PRIMARY KEY, content jsonb UNIQUE);';
      const source = await harness.database(documents);
      const target = await harness.database(documents);
      const rules = { content: { json: { name: model } } };
      const { policy } = harness.environment();
      const tables = { documents: rules };
      const command = harness.command(source.url, target.url, tables, { jobId: 'documents' });
      const { failure } = await harness.run(command, { policy: { ...policy, protectsColumns: true } });
      expect(failure).toEqual({ code: 'model_text_refused', tableIndex: 0, columnIndex: 0 });
    });

    it('refuses differs on an unprotected column that reads the text of a protected one', async () => {
      const { policy } = harness.environment();
      const strict = {
        ...policy,
        protectsColumns: true,
        refusesPreserve: (_: unknown, { name }: { readonly name: string }) => name === 'email',
      };
      const rules = { email: model, note: { ...template('{{email}}'), differs: true } };
      const command = harness.command(both.source.url, both.target.url, { people: rules }, { dryRun: true });
      const { predicted } = await harness.run(command, { policy: strict });
      expect(predicted?.failures).toEqual([{ code: 'model_text_refused', tableIndex: 0, columnIndex: 1 }]);
    });

    const ABSENT = [
      ['one text', ['eee']],
      ['two texts', ['eee', 'eed']],
    ] as const;
    inBoth.each(casesOf(ABSENT, 1))(
      'refuses a unique column for which a model can make only %s',
      async (_, absent) => {
        const letters = ['a', 'b', 'c', 'd', 'e'];
        const words = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
        const insert = (emails: readonly string[]) =>
          `; INSERT INTO people SELECT nr, 'group', 20, email, 'n' FROM unnest('{${emails.join(',')}}'::text[]) WITH ORDINALITY AS e (email, nr)`;
        const two = {
          source: await harness.database(schema + insert(['x', 'y'])),
          target: await harness.database(schema),
        };
        const codes: (string | undefined)[] = [];
        const originals = words.filter((word) => !absent.some((one) => one === word));
        const trained = { source: await harness.database(schema + insert(originals)), target: two.target };
        const few = { generator: `private/few_${absent.length}` };
        const train = { train: { min_values: 5, order: 2 } };
        expect((await run(trained, { email: { ...few, ...train } })).failure).toBeUndefined();
        const short = { ...few, constraints: { min_length: 3, max_length: 3 } };
        const inserted = { let: { m: { type: 'model', source: few.generator } }, body: '<{{m}}>' };
        for (const rule of [
          ...[short, { ...short, nullable: 0.1 }, { ...short, consistent: true }],
          ...[{ ...short, transform: 'lowercase(value)' }, { generator: inserted }],
        ])
          codes.push((await run(two, { note: { ...rule, unique: true } })).failure?.code);
        const refused = ['unique_capacity', 'unique_capacity', 'unique_capacity'];
        const uncounted = ['model_text_refused', 'model_text_refused'];
        expect(codes).toEqual([...refused, ...uncounted]);
        expect((await run(two, { note: { ...model, unique: true } })).failure).toBeUndefined();
      },
    );

    it('completes jobs that only insert the text, or that compare other values', async () => {
      const rules = {
        blood: {
          generator: { let: { m: { type: 'model', source: 'private/mails' } }, body: '<{{m}}>' },
          nullable: 0.5,
        },
        email: { ...model, transform: "concat(lowercase(value), '.test')", nullable: 0.1 },
        note: {
          ...template("{{email}}-{{slug(email)}}-{{age == '4' ? 'old' : 'new'}}-{{uuid}}"),
          unique: true,
        },
      };
      expect((await run(both, rules, { jobId: 'plain' })).failure).toBeUndefined();
    });

    function template(pattern: string) {
      return { generator: 'template', pattern };
    }
  });

  it('protects a generated column that is computed from a protected one', async () => {
    const computed = schema.replace(
      'note text)',
      "note text, mark text GENERATED ALWAYS AS (email || '!') STORED)",
    );
    const source = await harness.database(
      computed + rows.replace('INTO people', 'INTO people (id, blood, age, email, note)'),
    );
    const target = await harness.database(computed);
    const policy = protecting(({ name }) => name === 'email');
    const subset = { where: "mark = 'user1@example.com!'" };
    const tables = [{ name: 'people', columns: columnsOf({ email: list(9) }), subset }];
    const command = harness.command(source.url, target.url, {}, { tables });
    expect((await harness.run(command, { policy })).failure).toMatchObject({
      code: 'policy_denied',
      tableIndex: 0,
    });
    // A rule can mask the column if it is a plain column of the target.
    await target.query('ALTER TABLE people ALTER mark DROP EXPRESSION');
    const guess = {
      type: 'list',
      values: [{ value: 'user1@example.com!', weight: 500 }, ...list(40).values],
    };
    for (const [rules, code] of [
      [{ email: list(9), mark: { ...guess, differs: true } }, 'differs_refused'],
      [
        { email: list(9), mark: { generator: 'private/marks', train: { min_values: 1 } } },
        'min_values_too_low',
      ],
      [{ email: list(9), mark: { ...guess, consistent: true } }, undefined],
    ] as const) {
      const asked = harness.command(source.url, target.url, { people: rules });
      expect((await harness.run(asked, { policy })).failure?.code).toBe(code);
    }
  });

  it('refuses a subset whose rows depend on a foreign key of a protected column', async () => {
    const tables = 'CREATE TABLE codes (id int PRIMARY KEY, code text UNIQUE, note text);';
    const source = await harness.database(`${tables}
      CREATE TABLE people (id int PRIMARY KEY, email text REFERENCES codes (code));
      INSERT INTO codes SELECT i, 'code' || i FROM generate_series(1, 20) i;
      INSERT INTO people SELECT i, 'code' || i FROM generate_series(1, 9) i`);
    const target = await harness.database(`${tables} CREATE TABLE people (id int PRIMARY KEY, email text)`);
    const run = (
      subset: { readonly codes?: object; readonly people?: object },
      isProtected: (column: { readonly name: string }) => boolean,
    ) => {
      const listed = [
        { name: 'codes', columns: [], subset: subset.codes },
        { name: 'people', columns: columnsOf({ email: list(9) }), subset: subset.people },
      ].map(({ subset: own, ...table }) => ({ ...table, ...(own && { subset: own }) }));
      const command = harness.command(source.url, target.url, {}, { tables: listed });
      return harness.run(command, { policy: protecting(isProtected) });
    };
    const isEmail = ({ name }: { readonly name: string }) => name === 'email';
    const denied = { code: 'policy_denied', tableIndex: 1, columnIndex: 0 };
    for (const subset of [
      { codes: { where: "code = 'code7'" } },
      { codes: { where: "code = 'wrong'" } },
      { codes: { limit: 0 }, people: { where: 'id = 7' } },
    ])
      expect((await run(subset, isEmail)).failure).toEqual(denied);
    // All codes are copied, so the rows do not depend on the foreign key.
    expect((await run({ people: { where: 'id = 7' } }, isEmail)).failure).toBeUndefined();
    expect((await run({ codes: { limit: 9 } }, () => false)).failure).toBeUndefined();
  });

  it('refuses a subset whose rows depend on a foreign key from an unprotected column to a protected one', async () => {
    const source = await harness.database(`
      CREATE TABLE members (email text PRIMARY KEY, number int);
      CREATE TABLE logins (id int PRIMARY KEY, login text REFERENCES members);
      CREATE TABLE visits (id int PRIMARY KEY, email text REFERENCES members);
      INSERT INTO members SELECT 'user' || i, i FROM generate_series(1, 9) i;
      INSERT INTO logins SELECT i, 'user' || i FROM generate_series(1, 9) i;
      INSERT INTO visits SELECT i, 'user' || i % 2 + 1 FROM generate_series(1, 40) i`);
    const target = await harness.database();
    const masked = { generator: 'template', pattern: '{{uuid}}' };
    const run = (subsets: Readonly<Record<string, object | undefined>>, names: readonly string[]) => {
      const tables = Object.entries(subsets).map(([name, subset]) => ({
        ...{ name, ...(subset && { subset }) },
        columns: columnsOf(name === 'logins' ? { login: masked } : { email: masked }),
      }));
      const command = harness.command(source.url, target.url, {}, { tables });
      return harness.run(command, { policy: protecting(({ name }) => names.includes(name)) });
    };
    const guess = { where: "login = 'user2'" };
    for (const [subsets, tableIndex] of [
      // The number of visits would show how many have the guessed address.
      [{ logins: guess, members: { limit: 0 }, visits: undefined }, 1],
      [{ logins: { limit: 1 }, members: { limit: 0 }, visits: undefined }, 1],
      // The number of members would show whether member 7 has the guessed address.
      [{ members: { where: 'number = 7' }, logins: guess }, 0],
      // The number of logins would show how many have the address of member 7.
      [{ members: { where: 'number = 7' }, logins: undefined }, 0],
    ] as const)
      expect((await run(subsets, ['email'])).failure).toEqual({
        ...{ code: 'policy_denied', tableIndex, columnIndex: 0 },
      });
    for (const [subsets, names] of [
      [{ members: { limit: 1 }, visits: undefined }, ['email']],
      [{ logins: { where: 'id = 2' }, members: { limit: 0 }, visits: undefined }, ['email', 'login']],
      // All members are copied, so the rows do not depend on the foreign keys.
      [{ logins: guess, members: undefined, visits: undefined }, ['email']],
    ] as const)
      expect((await run(subsets, names)).failure).toBeUndefined();
  });

  it('refuses a subset whose rows depend on a foreign key that is computed from a protected column', async () => {
    const tables = `CREATE TABLE codes (code text PRIMARY KEY);
      CREATE TABLE people (id int PRIMARY KEY, email text, mark text GENERATED ALWAYS AS (lower(email)) STORED REFERENCES codes`;
    const source = await harness.database(`${tables});
      INSERT INTO codes SELECT 'code' || i FROM generate_series(1, 20) i;
      INSERT INTO people SELECT i, 'Code' || i FROM generate_series(1, 9) i`);
    const target = await harness.database();
    const subset = { where: 'id = 7' };
    const command = harness.command(
      source.url,
      target.url,
      {},
      {
        tables: [
          { name: 'codes', columns: [], subset: { limit: 0 } },
          { name: 'people', columns: columnsOf({ email: list(9) }), subset },
        ],
      },
    );
    const policy = protecting(({ name }) => name === 'email');
    expect((await harness.run(command, { policy })).failure).toEqual({
      code: 'policy_denied',
      tableIndex: 1,
    });
  });

  describe('with a foreign key that the source does not enforce', () => {
    const tables = 'CREATE TABLE codes (code text PRIMARY KEY); CREATE TABLE people (id int, email text';
    const numbers = tables.replace('code text', 'code int').replace('email text', 'email int');
    const notValid = 'ALTER TABLE people ADD FOREIGN KEY (email) REFERENCES codes NOT VALID;';

    /** Returns the failures for a source whose people have a code of the table `codes`, and for one with another code. */
    async function failures(
      columns: { codes?: Rules; people: Rules },
      { schema = tables, onSource = notValid, onTarget = '', people = 40, emails = [1, 3] } = {},
    ) {
      const codes = [];
      for (const email of emails) {
        const source = await harness.database(`${schema}); INSERT INTO codes VALUES (1), (2);
          INSERT INTO people SELECT i, ${email} FROM generate_series(1, ${people}) i; ${onSource}`);
        const target = await harness.database(onTarget);
        const command = harness.command(source.url, target.url, { codes: {}, ...columns });
        const policy = protecting(({ name }) => name === 'email');
        codes.push((await harness.run(command, { policy })).failure?.code);
      }
      return codes;
    }

    it('completes if the rule of the protected column chooses new references, whether they have a row or not', async () => {
      expect(await failures({ people: { email: list(9) } })).toEqual([undefined, undefined]);
    });

    inRelease(
      'refuses a rule for the key that needs more values if originals have no row, also if they have one',
      async () => {
        const same = (rule: unknown) => ({ codes: { code: rule }, people: { email: rule } });
        const refused = ['unique_capacity', 'unique_capacity'];
        const accepted = [undefined, undefined];
        const onTarget = `${tables} REFERENCES codes)`;
        expect(await failures(same(list(2)))).toEqual(refused);
        expect(await failures(same(list(2)), { onSource: '', onTarget })).toEqual(refused);
        expect(await failures(same({ generator: 'template', pattern: '{{uuid}}' }))).toEqual(accepted);
        expect(await failures(same(integers(1, 4)), { schema: numbers })).toEqual(refused);
        expect(await failures(same(integers(1, 6)), { schema: numbers })).toEqual(accepted);
      },
    );

    it('refuses such a rule if another column of the key can be NULL, or if the keys form a cycle', async () => {
      const codes = { code: list(2) };
      const same = { codes, people: { email: list(2) } };
      const refused = ['unique_capacity', 'unique_capacity'];
      const withPart = (part: string) =>
        `CREATE TABLE codes (code text PRIMARY KEY, part int DEFAULT 1, UNIQUE (code, part));
         CREATE TABLE people (id int, email text, part int ${part}`;
      const onSource = 'ALTER TABLE people ADD FOREIGN KEY (email, part) REFERENCES codes (code, part);';
      expect(await failures(same, { schema: withPart(''), onSource })).toEqual(refused);
      const whole = { schema: withPart('NOT NULL DEFAULT 1'), onSource, emails: [1] };
      expect(await failures(same, whole)).toEqual([undefined]);
      const back = `ALTER TABLE people ADD UNIQUE (email);
        ALTER TABLE codes ADD FOREIGN KEY (code) REFERENCES people (email) NOT VALID;`;
      const cycle = { onSource: notValid + back, people: 1, emails: [3] };
      expect(await failures(same, cycle)).toEqual(['unique_capacity']);
    });
  });

  it('refuses single partitions whose bounds depend on a protected column', async () => {
    const source = await harness.database(`
      CREATE TABLE people (id int, email text) PARTITION BY LIST (lower(email));
      CREATE TABLE anns PARTITION OF people FOR VALUES IN ('ann');
      CREATE TABLE others PARTITION OF people DEFAULT;
      INSERT INTO people SELECT i, 'Ann' FROM generate_series(1, 9) i`);
    const target = await harness.database();
    const failure = async (table: string, isProtected: boolean) => {
      const command = harness.command(source.url, target.url, { [table]: { email: list(9) } });
      const policy = protecting(({ name }) => isProtected && name === 'email');
      return (await harness.run(command, { policy })).failure;
    };
    const denied = { code: 'policy_denied', tableIndex: 0, columnIndex: 0 };
    expect(await failure('anns', true)).toEqual(denied);
    expect(await failure('people', true)).toBeUndefined();
    expect(await failure('others', false)).toBeUndefined();
  });

  function protecting(isProtected: (column: { readonly name: string }) => boolean) {
    return {
      ...harness.environment().policy,
      protectsColumns: true,
      trainingFloor: (_: unknown, column: { readonly name: string }) => (isProtected(column) ? 5 : 1),
      refusesPreserve: (_: unknown, column: { readonly name: string }) => isProtected(column),
    };
  }

  function columnsOf(rules: Rules) {
    return Object.entries(rules).map(([name, rule]) => ({ name, rule }));
  }
});
