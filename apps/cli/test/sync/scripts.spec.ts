import type { TestDatabase } from '@understudy/testing';

import { SyncBench } from './sync-bench.js';

const TABLE = 'CREATE TABLE customer (id int PRIMARY KEY)';

let bench: SyncBench;
let source: TestDatabase;
let target: TestDatabase;
beforeAll(async () => {
  bench = await SyncBench.start();
  [source, target] = [await bench.database(TABLE), await bench.database(TABLE)];
});
afterAll(() => bench.stop());

function withWrongPassword({ url }: TestDatabase): TestDatabase {
  const wrong = new URL(url);
  wrong.password = 'wrong';
  return { url: wrong.href } as TestDatabase;
}

it.each(['source', 'target'] as const)(
  'sync, dry runs and verify end with code 5 if the password of the %s is wrong',
  async (side) => {
    const [from, to] =
      side === 'source' ? [withWrongPassword(source), target] : [source, withWrongPassword(target)];
    const job = bench.job('job.json', from, to, { tables: [{ name: 'customer' }] });
    const codes = [];
    for (const args of [
      ['sync', job],
      ['sync', job, '--dry-run'],
      ['verify', job],
    ])
      codes.push((await bench.run(args)).code);
    expect(codes).toEqual([5, 5, 5]);
  },
);

describe('--progress plain', () => {
  it('prints text without a terminal', async () => {
    const job = bench.job('job.json', source, target, { tables: [{ name: 'customer' }] });
    const synced = await bench.run(['sync', job, '--progress', 'plain']);
    expect(synced.err).toMatch(/^job\.json: copying 1 table from /);
    expect(synced.out).toMatch(/^done: copied 0 rows of 1 table .*\nverified: /);
    const verified = await bench.run(['verify', job, '--progress', 'plain']);
    expect(verified.out).toMatch(/^customer/m);
    expect([synced.code, verified.code]).toEqual([0, 0]);
  });

  it('cannot be combined with --json', async () => {
    const { code, err } = await bench.run(['sync', 'job.json', '--progress', 'plain', '--json']);
    expect([code, err]).toEqual([2, expect.stringContaining("'--json'")]);
  });
});
