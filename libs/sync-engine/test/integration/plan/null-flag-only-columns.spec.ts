import { TcpRecorder, type TestDatabase } from '@understudy/testing';
import { rowsOf, SyncHarness } from '../sync-harness.js';

const schema = (more = '') =>
  `CREATE TABLE people (id int PRIMARY KEY, mail text NOT NULL, phone text, name text, kept text ${more}, CHECK (length(mail) < 60));`;
const ROWS = `
  INSERT INTO people (id, mail, phone, name, kept) VALUES
    (1, 'original-mail', 'original-phone', 'original-name', 'kept-1'),
    (2, 'original-mail', NULL, NULL, 'kept-2'),
    (3, 'original-mail', '', '', NULL);
`;
const template = (pattern: string) => ({ generator: 'template', pattern });
const RULES = {
  mail: template('{{uuid}}@example.test'),
  phone: template('+1 {{substring(uuid, 0, 4)}}'),
  name: { ...template('{{uuid}}'), differs: true },
};

describe('a masked column', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  /** Runs a job. @returns all bytes that the source and the engine exchanged, as text */
  async function run(source: TestDatabase, target: TestDatabase, rules: object): Promise<string> {
    const url = new URL(source.url);
    const recorder = await TcpRecorder.start({ host: url.hostname, port: Number(url.port) });
    try {
      url.host = recorder.address;
      const outcome = await harness.run(harness.command(url.href, target.url, { people: { ...rules } }));
      expect(outcome.failure).toBeUndefined();
      return recorder.recorded().toString('latin1');
    } finally {
      await recorder.stop();
    }
  }

  const seenIn = (passed: string) =>
    ['mail', 'phone', 'name', 'code', 'pair'].filter((what) => passed.includes(`original-${what}`));

  it('is read from the source only if its rule needs the original value, and keeps its NULLs', async () => {
    const more = ', code text, pair pair';
    const type = 'CREATE TYPE pair AS (a text, b text);';
    const values = `
      UPDATE people SET code = 'original-code', pair = ('original-pair', 'b') WHERE id = 1;
      UPDATE people SET pair = (NULL, NULL) WHERE id = 2;`;
    const source = await harness.database(type + schema(more) + ROWS + values);
    const target = await harness.database(type + schema(more));
    const rules = {
      ...RULES,
      code: { ...template('{{uuid}}'), consistent: true },
      pair: template('(made,made)'),
    };
    const passed = await run(source, target, rules);
    expect(seenIn(passed)).toEqual(['name', 'code']);
    expect(passed).toContain('kept-1');
    const nulls =
      'SELECT phone IS NULL AS phone, name IS NULL AS name, pair IS DISTINCT FROM NULL AS pair FROM people ORDER BY id';
    expect((await target.query(nulls)).rows).toEqual([
      { phone: false, name: false, pair: true },
      { phone: true, name: true, pair: true },
      { phone: false, name: false, pair: false },
    ]);
    expect(JSON.stringify(await rowsOf(target, 'people'))).not.toContain('original');
  });

  it('gets the same value in the binary and in the text format of COPY', async () => {
    const source = await harness.database(schema() + ROWS);
    const binary = await harness.database(schema());
    const text = await harness.database(schema().replace('kept text', 'kept varchar'));
    const passed = await run(source, binary, RULES);
    expect(passed).toContain('PGCOPY');
    expect(seenIn(passed)).toEqual(['name']);
    expect(seenIn(await run(source, text, RULES))).toEqual(['name']);
    expect(await rowsOf(binary, 'people')).toEqual(await rowsOf(text, 'people'));
  });
});
