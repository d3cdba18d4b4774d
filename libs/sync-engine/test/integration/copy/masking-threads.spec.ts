import { parseExactJson } from '@understudy/expression';
import fc from 'fast-check';
import { SyncJobError } from '@understudy/sync-job';
import type { SyncEnvironment } from '../../../src/environment.js';
import { type Outcome, type Rules, rowsOf, SyncHarness } from '../sync-harness.js';

const SCHEMA = `
  CREATE TYPE mood AS ENUM ('well', 'ill');
  CREATE TABLE people (id bigint PRIMARY KEY, first text, mail varchar(30), code varchar(6), about text);
  CREATE TABLE moody (id int PRIMARY KEY, how mood, name text, profile jsonb, again text);
  CREATE TABLE listed (mail text PRIMARY KEY, note text);
`;
/**
 * Inserts so many rows that the engine receives them in many reads of the socket. Some values are larger than
 * one read.
 */
const ROWS = `
  INSERT INTO people SELECT n, 'First' || n % 50, NULLIF('m' || n || '@x.org', 'm7@x.org'), 'c' || n,
    CASE WHEN n % 500 = 0 THEN repeat(md5(n::text), 20000) ELSE 'about ' || n END FROM generate_series(1, 3000) n;
  INSERT INTO moody SELECT n, 'well', 'n' || n, jsonb_build_object('name', 'n' || n, 'n', n), 'n' || n % 9 FROM generate_series(1, 500) n;
  INSERT INTO listed SELECT n || '@x.org', 'note ' || n FROM generate_series(1, 300) n;
`;
const NAME = { generator: 'en_US/first_names' };
const RULES: Readonly<Record<string, Rules>> = {
  // Copied in the binary format. The template of `mail` reads the column `first`, and values of `code` are
  // cut.
  people: {
    first: NAME,
    mail: { generator: 'template', pattern: '{{lowercase(first)}}@y.test' },
    code: { generator: 'template', pattern: 'long {{uuid}}' },
  },
  // Copied in the text format.
  moody: { name: NAME, profile: { json: { name: NAME } }, again: { ...NAME, consistent: true } },
  // `mail` is a key, so its values are determined before the copy, and no thread masks it.
  listed: { mail: { generator: 'template', pattern: '{{substring(uuid, 0, 8)}}@y.test' }, note: NAME },
};

describe('masking in threads', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const copy = { connections: 3, chunkBytes: 64_000 };
  const inThreads: Partial<SyncEnvironment> = {
    copy: { ...copy, maskingThreads: 2, threadFromBytes: 0 },
  };

  it('produces the same rows as masking in the main thread', async () => {
    const source = await harness.database(SCHEMA + ROWS);
    const run = async (environment: Partial<SyncEnvironment>) => {
      const target = await harness.database(SCHEMA);
      const outcome = await harness.run(harness.command(source.url, target.url, RULES), environment);
      expect(outcome.failure).toBeUndefined();
      const tables = await Promise.all(['people', 'moody', 'listed'].map((table) => rowsOf(target, table)));
      return { tables, warnings: outcome.completed?.warnings };
    };
    const here = await run({ copy });
    expect(here.tables.map(({ length }) => length)).toEqual([3000, 500, 300]);
    expect(here.warnings).toEqual([{ code: 'value_truncated', tableIndex: 0, columnIndex: 2 }]);
    expect(await run(inThreads)).toEqual(here);
  });

  const digits = fc.stringMatching(/^[1-9][0-9]{16,38}[1-9]$/);
  const longNumber = fc.oneof(
    digits,
    fc.tuple(digits, digits).map(([whole, fraction]) => `-${whole}.${fraction}`),
    digits.map((fraction) => `0.${fraction}`),
  );

  it('writes and keeps numbers that no double prints digit by digit, in columns and in documents', async () => {
    const schema = `CREATE TABLE numbers (id int PRIMARY KEY, made numeric, text text, doc jsonb, raw json,
      part jsonb, kept_number numeric, kept_id int8, kept_doc jsonb)`;
    await fc.assert(
      fc.asyncProperty(longNumber, longNumber, async (number, kept) => {
        const source = await harness.database(
          `${schema}; INSERT INTO numbers SELECT i, 1, 'x', '{}', '{}', '{"a": ${kept}, "b": 1}', ${kept},
             9223372036854775807, '[${kept}]' FROM generate_series(1, 50) i`,
        );
        const one = parseExactJson(`{"type":"list","values":[${number}]}`) as object;
        const nested = parseExactJson(`{"type":"list","values":[{"deep":[${number}]}]}`) as object;
        const rules = {
          numbers: { made: one, text: one, doc: nested, raw: nested, part: { json: { b: one } } },
        };
        for (const environment of [{ copy }, inThreads]) {
          const target = await harness.database(schema);
          const outcome = await harness.run(harness.command(source.url, target.url, rules), environment);
          expect(outcome.failure).toBeUndefined();
          const { rows } = await target.query(
            `SELECT DISTINCT made::text, text, doc::text, raw::text, part::text, kept_number::text,
               kept_id::text, kept_doc::text FROM numbers`,
          );
          expect(rows).toEqual([
            {
              made: number,
              text: number,
              doc: `{"deep": [${number}]}`,
              raw: `{"deep":[${number}]}`,
              part: `{"a": ${kept}, "b": ${number}}`,
              kept_number: kept,
              kept_id: '9223372036854775807',
              kept_doc: `[${kept}]`,
            },
          ]);
        }
      }),
      { numRuns: 1, endOnFailure: true },
    );
  });

  const MANY = `CREATE TABLE t (id int PRIMARY KEY, name text)`;
  const manyRows = `; INSERT INTO t SELECT n, 'same' FROM generate_series(1, 20000) n`;

  async function failed(rules: Rules, targetSchema = MANY): Promise<Outcome['failure']> {
    const source = await harness.database(MANY + manyRows);
    const target = await harness.database(targetSchema);
    const outcome = await harness.run(harness.command(source.url, target.url, { t: rules }), inThreads);
    expect(await rowsOf(target, 't')).toEqual([]);
    return outcome.failure;
  }

  it('reports the column of a rule that fails', async () => {
    // The rule fails for one of 10,000 values, which is too rare for the checks before the copy.
    const params = { min: 1, max: 10_000 };
    const rule = { type: 'svc', algorithm: 'int_between', params, transform: '1 / (value - 77)' };
    expect(await failed({ name: rule })).toEqual({
      code: 'generation_failed',
      tableIndex: 0,
      columnIndex: 0,
    });
  });

  it('reports a row that the target refuses as a failure of the target', async () => {
    const failure = await failed({ name: NAME }, MANY.replace('id int', 'id int CHECK (id < 15000)'));
    expect(failure).toMatchObject({ code: 'constraint_violation', side: 'target', tableIndex: 0 });
  });

  it('leaves no rows if the job is cancelled', async () => {
    const source = await harness.database(MANY + manyRows);
    const target = await harness.database(MANY);
    const abort = new AbortController();
    const environment = {
      ...inThreads,
      reached: (step: string) => {
        if (step === 'chunk_copied') abort.abort(new SyncJobError({ code: 'cancelled' }));
      },
    };
    const command = harness.command(source.url, target.url, { t: { name: NAME } });
    const outcome = await harness.run(command, environment, abort.signal);
    expect(outcome.failure?.code).toBe('cancelled');
    expect(await rowsOf(target, 't')).toEqual([]);
  });
});
