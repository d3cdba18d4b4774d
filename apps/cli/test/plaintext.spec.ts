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

/** Linux connects to itself here, and by its name the address is no loopback one. The server does not speak TLS. */
const remote = ({ url }: TestDatabase, query = ''): TestDatabase =>
  ({ url: url.replace('127.0.0.1', '0.0.0.0') + query }) as TestDatabase;
const SCHEMA = JSON.stringify({ generators: { name: { type: 'list', values: ['x'] } }, output: ['name'] });
const WARNING = /warning: .*0\.0\.0\.0.* is not encrypted/;

const jobFrom = (at: TestDatabase) => bench.job('job.json', at, target, { tables: [{ name: 'customer' }] });

/** What connects to a database, each with its URL. */
const COMMANDS: readonly (readonly [string, (at: TestDatabase) => Promise<readonly string[]>])[] = [
  ['sync', (at) => Promise.resolve(['sync', jobFrom(at), '--pg-bin-dir', bench.postgresBinFolder])],
  // Of the copy that `sync` made.
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
  it('does not connect in plaintext to a server that is not on this machine', async () => {
    const done = await bench.folder.run(await command(remote(source)));
    expect(done.code).toBe(5);
    expect(done.err).toMatch(/sslmode=disable/);
  });

  it('connects in plaintext, with a warning, when the URL says sslmode=disable', async () => {
    const done = await bench.folder.run(await command(remote(source, '?sslmode=disable')));
    expect(done.err).toMatch(WARNING);
    expect(done.code).toBe(0);
  });

  it('does not warn of a server on this machine', async () => {
    const done = await bench.folder.run(await command(source));
    expect(done.err).not.toMatch(WARNING);
    expect(done.code).toBe(0);
  });
});
