import type { TestDatabase } from '@understudy/testing';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InitResult } from '../../src/init/output/init-result.js';
import { events, SyncBench } from '../sync/sync-bench.js';

/** A file whose lines have the form `table | column | type | label | values`. */
const LABELS = join(import.meta.dirname, '../../../../tools/bench/assets/labelled-columns/chinook.txt');
const DATA = join(import.meta.dirname, '../../../../../shared/data');

const CHINOOK = join(DATA, 'chinook/Chinook_PostgreSql.sql');

/** Reads a script without the commands of psql and the statements that create or drop a database. */
function readScript(file: string): string {
  return readFileSync(file, 'utf8').replace(/^(\\c .*|(DROP|CREATE) DATABASE .*)$/gm, '');
}

describe('understudy init on chinook', () => {
  (existsSync(CHINOOK) ? it : it.skip)(
    'writes a job file that completes without changes, passes verification and masks the personal columns',
    async () => {
      const bench = await SyncBench.start();
      try {
        const source = await bench.database(readScript(CHINOOK));
        const target = await bench.database();
        const init = await bench.folder.run(['init', source.url, '--json']);
        expect([init.code, init.err]).toEqual([0, '']);
        const { rules } = JSON.parse(init.out) as InitResult;
        expectAsLabelled(rules);
        const environment = { SOURCE_PASSWORD: new URL(source.url).password, TARGET_URL: target.url };
        const done = await bench.run(['sync', 'understudy.job.jsonc'], environment);
        expect([done.code, done.err]).toEqual([0, '']);
        expect(events(done).at(-1)).toMatchObject({ event: 'completed', verification: { ok: true } });
        const verified = await bench.run(['verify', 'understudy.job.jsonc'], environment);
        expect([verified.code, verified.err]).toEqual([0, '']);
        for (const rule of rules) await expectMasked(rule, source, target);
      } finally {
        await bench.stop();
      }
    },
  );
});

/** Expects rules for exactly the columns that a person labelled as personal. */
function expectAsLabelled(rules: InitResult['rules']): void {
  const found = new Set(rules.map(({ table, column }) => `${table}.${column}`));
  const labels = readFileSync(LABELS, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' | '))
    .map(([table = '', column = '', , label = 'none']) => ({ table, column, label }))
    .filter(({ label }) => label !== 'either');
  const wrong = labels.filter(
    ({ table, column, label }) => found.has(`${table}.${column}`) !== (label !== 'none'),
  );
  expect(wrong.map(({ table, column, label }) => [table, column, label])).toEqual([]);
}

async function expectMasked(
  { table, column }: InitResult['rules'][number],
  source: TestDatabase,
  target: TestDatabase,
): Promise<void> {
  const values = `SELECT ${column}::text AS v FROM ${table} WHERE ${column} IS NOT NULL`;
  const [before, after] = await Promise.all([source.query(values), target.query(values)]);
  expect([table, column, after.rows.length]).toEqual([table, column, before.rows.length]);
  const old = new Set(before.rows.map(({ v }) => String(v)));
  const same = after.rows.filter(({ v }) => old.has(String(v))).length;
  // New names and towns are real ones, so some of them equal old values of other rows.
  expect([table, column, same / Math.max(1, after.rows.length) < 0.9]).toEqual([table, column, true]);
}
