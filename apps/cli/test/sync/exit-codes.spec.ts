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
