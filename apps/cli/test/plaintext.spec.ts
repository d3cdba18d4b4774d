import type { TestDatabase } from '@understudy/testing';
import { SyncBench } from './sync/sync-bench.js';

const SHOP = 'CREATE TABLE customer (id int PRIMARY KEY, name text)';

let bench: SyncBench;
let source: TestDatabase;
let target: TestDatabase;
beforeAll(async () => {
  bench = await SyncBench.start();
  source = await bench.database(`${SHOP}; INSERT INTO customer VALUES (1, 'Ada')`);
  target = await bench.database();
});
afterAll(() => bench.stop());

/**
 * Returns a URL that reaches the test server, but whose address is not a loopback address: on Linux, 0.0.0.0 connects to
 * the machine itself. The server does not support TLS.
 */
const remote = ({ url }: TestDatabase, query = ''): TestDatabase =>
  ({ url: url.replace('127.0.0.1', '0.0.0.0') + query }) as TestDatabase;
const SCHEMA = JSON.stringify({ generators: { name: { type: 'list', values: ['x'] } }, output: ['name'] });
const WARNING = /warning: .*0\.0\.0\.0.* is not encrypted/;

const jobFrom = (at: TestDatabase) => bench.job('job.json', at, target, { tables: [{ name: 'customer' }] });

/** The commands that connect to a database, each with a function that returns its arguments for a database. */
const COMMANDS: readonly (readonly [string, (at: TestDatabase) => Promise<readonly string[]>])[] = [
  ['sync', (at) => Promise.resolve(['sync', jobFrom(at), '--pg-bin-dir', bench.postgresBinFolder])],
  // Verifies the copy that `sync` made.
  ['verify', (at) => Promise.resolve(['verify', jobFrom(at), '--pg-bin-dir', bench.postgresBinFolder])],
  ['init', ({ url }) => Promise.resolve(['init', url, '--json', '--out', 'made.json', '--force'])],
  [
    'generate --into',
    async ({ url }) => {
      await source.query('CREATE TABLE IF NOT EXISTS made (name text)');
      const file = bench.folder.write('schema.json', SCHEMA);
      return ['generate', file, '--count', '1', '--into', url, '--table', 'made'];
    },
  ],
];

describe.each(COMMANDS)('understudy %s', (_, command) => {
  it('refuses a plaintext connection to a server on another machine', async () => {
    const done = await bench.folder.run(await command(remote(source)));
    expect(done.code).toBe(5);
    expect(done.err).toMatch(/sslmode=disable/);
  });

  it('connects in plaintext, with a warning, if the URL contains sslmode=disable', async () => {
    const done = await bench.folder.run(await command(remote(source, '?sslmode=disable')));
    expect(done.err).toMatch(WARNING);
    expect(done.code).toBe(0);
  });

  it('prints no warning for a server on this machine', async () => {
    const done = await bench.folder.run(await command(source));
    expect(done.err).not.toMatch(WARNING);
    expect(done.code).toBe(0);
  });
});
