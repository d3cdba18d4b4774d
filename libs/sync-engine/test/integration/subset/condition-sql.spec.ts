import fc from 'fast-check';
import { parseRowCondition } from '@understudy/row-condition';
import type { TestDatabase } from '@understudy/testing';
import { parseConnectionUrl, disconnect, openSession, type Session } from '@understudy/postgres';
import { type ConditionColumn, readConditionColumns } from '../../../src/plan/subset/condition-columns.js';
import { ConditionMismatch, conditionSql } from '../../../src/plan/subset/condition-sql.js';
import { SyncHarness } from '../sync-harness.js';

const VALUES: Readonly<Record<string, readonly string[]>> = {
  small: ['-3', '0', '7'],
  whole: ['-3', '0', '7', '2147483647'],
  big: ['-3', '0', '7', '9007199254740993'],
  exact: ['-3.50', '0', '7', '12345678901234567890.5'],
  single: ['0.1', '7', '-3.5'],
  real: ['0.1', '7', '1e300'],
  label: [`''`, `'a'`, `'A'`, `'a b'`, `'O''Brien'`, `'10%_\\'`, `'ü🎭'`],
  short: [`'a'`, `'A'`, `'O''Brien'`],
  padded: [`'a'`, `'a b'`],
  day: [`'2024-02-29'`, `'infinity'`, `'0001-01-01'`],
  moment: [`'2024-02-29 10:00:00'`, `'2024-02-29'`, `'-infinity'`],
  instant: [`'2024-02-29 10:00:00+02'`, `'2024-02-29T08:00:00Z'`],
  clock: [`'10:00'`, `'23:59:59.5'`],
  zoned: [`'10:00+01'`, `'09:00Z'`],
  open: ['true', 'false'],
  id: [`'123e4567-e89b-12d3-a456-426614174000'`],
  mood: [`'sad'`, `'ok'`, `'very happy'`],
  age: ['0', '7', '42'],
};
const NAMES = Object.keys(VALUES);

const TABLE = `
  CREATE TYPE public."Mood" AS ENUM ('very happy', 'ok', 'sad');
  CREATE DOMAIN public.age AS int CHECK (VALUE >= 0);
  CREATE TABLE public.t (
    small int2, whole int4, big int8, exact numeric, single float4, real float8, label text, short varchar(20), padded char(5),
    day date, moment timestamp, instant timestamptz, clock time, zoned timetz, open boolean, id uuid, mood public."Mood", age public.age,
    other jsonb, r serial);
`;

describe('conditionSql', () => {
  let harness: SyncHarness;
  let database: TestDatabase;
  let session: Session;
  let columns: readonly ConditionColumn[];

  beforeAll(async () => {
    harness = await SyncHarness.start();
    database = await harness.database(TABLE);
    const longest = Math.max(...NAMES.map((name) => VALUES[name]?.length ?? 0));
    const rows = Array.from(
      { length: longest + 1 },
      (_, i) => `(${NAMES.map((name) => VALUES[name]?.[i] ?? 'NULL').join(', ')})`,
    );
    await database.query(`INSERT INTO t (${NAMES.join(', ')}) VALUES ${rows.join(', ')}`);
    session = await openSession(parseConnectionUrl(database.url), 'source');
    const { rows: found } = await session.client.query<{ oid: string }>(
      `SELECT 'public.t'::regclass::oid::text AS oid`,
    );
    columns = await readConditionColumns(session.client, found[0]?.oid ?? '');
  });
  afterAll(async () => {
    await disconnect(session.client);
    await harness.stop();
  });

  async function written(text: string): Promise<string> {
    const parsed = await parseRowCondition(text);
    if ('problem' in parsed) throw new Error(`${text}: ${parsed.problem.message}`);
    return conditionSql(parsed.condition, columns);
  }

  async function rows(condition: string): Promise<readonly number[]> {
    const found = await session.client.query<{ r: number }>(
      `SELECT r FROM public.t WHERE ${condition} ORDER BY r`,
    );
    return found.rows.map(({ r }) => r);
  }

  const operator = fc.constantFrom('=', '<>', '!=', '<', '<=', '>', '>=');
  const column = fc.constantFrom(...NAMES).map((name) => ({ name, values: VALUES[name] ?? [] }));
  const comparison = column.chain(({ name, values }) => {
    const value = fc.constantFrom(...values);
    const texts = ['label', 'short', 'padded'].includes(name)
      ? [
          fc
            .tuple(
              fc.constantFrom('LIKE', 'ILIKE', 'NOT LIKE', 'NOT ILIKE'),
              fc.constantFrom('a%', '%b', '_', `O''%`, '%\\%%', 'Ü%'),
            )
            .map(([like, pattern]) => `${name} ${like} '${pattern}'`),
        ]
      : [];
    return fc.oneof(
      fc.tuple(operator, value).map(([sign, literal]) => `${name} ${sign} ${literal}`),
      fc.tuple(operator, value).map(([sign, literal]) => `${literal} ${sign} "${name}"`),
      fc
        .tuple(fc.boolean(), fc.array(value, { minLength: 1 }))
        .map(([isIn, literals]) => `${name} ${isIn ? 'IN' : 'NOT IN'} (${literals.join(', ')})`),
      fc
        .tuple(fc.boolean(), value, value)
        .map(([isIn, low, high]) => `${name} ${isIn ? '' : 'NOT '}BETWEEN ${low} AND ${high}`),
      fc.boolean().map((isNull) => `${name} IS ${isNull ? '' : 'NOT '}NULL`),
      ...texts,
    );
  });
  const pair = fc
    .tuple(
      fc.constantFrom(
        ['small', 'whole', 'big', 'exact', 'single', 'real', 'age'],
        ['label', 'short', 'padded'],
        ['day', 'moment', 'instant'],
      ),
      operator,
      fc.nat(),
      fc.nat(),
    )
    .map(([names, sign, a, b]) => `${names[a % names.length]} ${sign} ${names[b % names.length]}`);
  const { condition } = fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      comparison,
      pair,
      fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `${a} AND ${b}`),
      fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `(${a} OR ${b})`),
      tie('condition').map((a) => `NOT (${a})`),
    ),
  }));

  it('selects the same rows as the original text of the condition', async () => {
    await fc.assert(
      fc.asyncProperty(condition, async (text) => {
        const sql = await written(text);
        await session.client.query('SET search_path = public');
        const expected = await rows(text);
        await session.client.query(`SET search_path = ''`);
        expect(await rows(sql)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [
      `day >= '2024-01-01' AND age = 7::bigint`,
      `(("day" OPERATOR(pg_catalog.>=) '2024-01-01'::pg_catalog.date) AND ("age" OPERATOR(pg_catalog.=) '7'::pg_catalog.int8))`,
    ],
    [
      `mood IN ('ok', 'sad')`,
      `("mood" OPERATOR(pg_catalog.=) ANY (ARRAY['ok'::"public"."Mood", 'sad'::"public"."Mood"]))`,
    ],
    [
      `label LIKE 'a\\%' OR 1.5 < whole`,
      `(("label" OPERATOR(pg_catalog.~~)  E'a\\\\%'::pg_catalog.text) OR ('1.5'::pg_catalog.numeric OPERATOR(pg_catalog.<) "whole"))`,
    ],
    ['other IS NOT NULL', '("other" IS NOT NULL)'],
  ])('rewrites the condition %s with qualified operators and types', async (text, sql) => {
    expect(await written(text)).toBe(sql);
    await rows(sql);
  });

  it.each([
    ['missing = 1', 'missing', 'unknown_column'],
    ['missing IS NULL', 'missing', 'unknown_column'],
    ['"Label" = \'a\'', 'Label', 'unknown_column'],
    [`whole = 'hunter2'`, 'whole', 'type_mismatch'],
    [`whole = '1.5'`, 'whole', 'type_mismatch'],
    [`whole = '2024-01-01'::date`, 'whole', 'type_mismatch'],
    ['whole = true', 'whole', 'type_mismatch'],
    ['label = 5', 'label', 'type_mismatch'],
    ['open = 1', 'open', 'type_mismatch'],
    [`day > 'yesterday'`, 'day', 'type_mismatch'],
    [`instant > 'now'`, 'instant', 'type_mismatch'],
    [`mood = 'hunter2'`, 'mood', 'type_mismatch'],
    [`mood LIKE 'ok'`, 'mood', 'type_mismatch'],
    [`id = 'hunter2'`, 'id', 'type_mismatch'],
    [`other = '{}'`, 'other', 'type_mismatch'],
    [`label = whole`, 'label', 'type_mismatch'],
    [`clock < zoned`, 'clock', 'type_mismatch'],
    [`real = 1e400`, 'real', 'type_mismatch'],
  ])('refuses a condition that does not match the table: %s', async (text, name, kind) => {
    const error = await written(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConditionMismatch);
    expect(error).toMatchObject({ column: name, kind });
    expect((error as Error).message).not.toContain('hunter2');
  });
});
