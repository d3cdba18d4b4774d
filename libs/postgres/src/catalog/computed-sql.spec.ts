import { computesSql } from './computed-sql.js';

const runs = (argument: string) => ({ language: 'plpgsql', body: `BEGIN ${argument}; RETURN new; END` });

describe('computesSql', () => {
  it.each([
    "EXECUTE 'next' || 'val(''public.s'')' INTO new.id",
    "sql := 'SELECT ' || call; EXECUTE sql INTO new.id",
    "execute format('SELECT %s', call) INTO new.id",
    "EXECUTE format('SELECT nextval(%L)', tg_table_name || '_seq') INTO new.id",
    "EXECUTE format('SELECT nextval(''%I'')', tg_table_name) INTO new.id",
    "EXECUTE 'SELECT nextval(' || quote_literal(tg_table_name) || ')' INTO new.id",
    "EXECUTE concat('SELECT next', 'val(', x, ')') INTO new.id",
    "EXECUTE 'INSERT INTO part_' || new.day || ' VALUES ($1)' USING new",
    "EXECUTE E'SELECT \\'' || x",
    "EXECUTE replace('SELECT nXval(1)', 'X', 'ext')",
    "FOR r IN EXECUTE 'SELECT ' || what LOOP NULL; END LOOP",
    'RETURN QUERY EXECUTE (SELECT body FROM code)',
    "new.x := query_to_xml('SELECT next' || 'val(1)', true, false, '')",
    'EXECUTE $q$SELECT 1$q$ || x',
    "/* EXECUTE 'x' */ EXECUTE x",
    "EXECUTE reverse('lavtxen')",
  ])('finds %s', (argument) => {
    expect(computesSql(runs(argument))).toBe(true);
  });

  it.each([
    "EXECUTE 'SELECT nextval(''public.s'')' INTO new.id",
    'EXECUTE $q$SELECT nextval($n$public.s$n$)$q$ INTO new.id',
    "EXECUTE format('INSERT INTO %I.%2$I VALUES ($1.*)', tg_table_schema, part || '_x') USING new",
    "EXECUTE 'INSERT INTO ' || quote_ident(tg_table_schema) || '.' || quote_ident('p_' || lower(x)) || ' VALUES ($1)' USING new",
    "EXECUTE 'UPDATE t SET a = 1 ' || 'WHERE b = ' || quote_literal(new.b)",
    "EXECUTE format('SELECT 5 %% 2, %L'::text, new.b) INTO new.c",
    "-- Execute what the caller asks for\n new.id := nextval('s')",
    "new.note := 'execute ' || x",
    "EXECUTE ('SELECT 1')",
    "EXECUTE format('SELECT nextval(''public.s'')') INTO new.id",
    'EXECUTE $q$\n  SELECT nextval($n$public.s$n$)\n$q$ INTO new.id',
    'GRANT EXECUTE ON FUNCTION f() TO r',
    'new.executed := now()',
    "new.x := query_to_xml('SELECT 1', true, false, '')",
  ])('does not find %s', (argument) => {
    expect(computesSql(runs(argument))).toBe(false);
  });

  it('finds any SQL that a function of another language runs', () => {
    expect(computesSql({ language: 'plpython3u', body: 'plpy.execute("SELECT next" + "val(1)")' })).toBe(
      true,
    );
    expect(computesSql({ language: 'plpython3u', body: 'return spinach' })).toBe(false);
    expect(computesSql({ language: 'sql', body: "SELECT query_to_xml($1, true, false, '')" })).toBe(true);
  });

  it('reads long texts that are not closed in linear time', () => {
    const body = `EXECUTE ${"'".repeat(20_001)}${'$a$'.repeat(2_000)}${'('.repeat(2_000)}`;
    expect(computesSql({ language: 'plpgsql', body })).toBe(true);
  });
});
