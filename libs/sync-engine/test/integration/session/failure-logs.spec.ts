import type { EngineLog } from '@understudy/postgres';
import { SyncHarness, TEST_LOG } from '../sync-harness.js';

const SOURCE = `CREATE TABLE t (id int, email text, n text);
  INSERT INTO t VALUES (1, 'canary@example.com', 'canary 1'), (2, 'canary@example.com', 'canary 2')`;
const RAISES = `CREATE FUNCTION refuse(text) RETURNS boolean LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'not %', $1 USING HINT = $1; END $$`;
const INVENTS = `CREATE FUNCTION invent(text) RETURNS boolean LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '23514', SCHEMA = $1, TABLE = $1, COLUMN = $1, CONSTRAINT = $1; END $$`;

describe('the log of a failed job', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  it.each([
    ['violates a unique constraint', 'CREATE TABLE t (id int, email text UNIQUE, n text)', '23505'],
    [
      'violates a check constraint',
      "CREATE TABLE t (id int, email text, n text CHECK (n <> 'canary 2'))",
      '23514',
    ],
    [
      'makes a function of the target raise an error',
      `${RAISES}; CREATE TABLE t (id int, email text, n text CHECK (public.refuse(n)))`,
      'P0001',
    ],
    [
      'makes a function of the target raise an error with names that it invents',
      `${INVENTS}; CREATE TABLE t (id int, email text, n text CHECK (public.invent(n)))`,
      '23514',
    ],
  ])('contains the SQLSTATE but no value of a row that %s', async (_, schema, code) => {
    const source = await harness.database(SOURCE);
    const target = await harness.database(schema);
    const lines: string[] = [];
    const note = (facts: object, message: string): void => void lines.push(JSON.stringify([facts, message]));
    const log: EngineLog = { error: note, warn: note, info: note, debug: note };
    const { failure } = await harness.run(harness.command(source.url, target.url, { t: {} }), { log });
    expect(failure).toBeDefined();
    expect(lines.join('\n')).toContain(`"code":"${code}"`);
    expect(lines.join('\n')).not.toContain('canary');
  });

  it('contains the name of the violated constraint if the target has it', async () => {
    const source = await harness.database('CREATE TABLE t (id int); INSERT INTO t VALUES (1), (1)');
    const target = await harness.database('CREATE TABLE t (id int, CONSTRAINT own UNIQUE (id))');
    const lines: string[] = [];
    const log = { ...TEST_LOG, error: (facts: object) => void lines.push(JSON.stringify(facts)) };
    await harness.run(harness.command(source.url, target.url, { t: {} }), { log });
    expect(lines.join('\n')).toContain('"table":"t","constraint":"own"');
  });
});
