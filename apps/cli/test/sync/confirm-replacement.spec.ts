import { spawn } from 'node:child_process';
import { once } from 'node:events';

import type { TestDatabase } from '@understudy/testing';

import { BIN } from '../run-cli.js';
import { SyncBench } from './sync-bench.js';

const TABLE = 'CREATE TABLE customer (id int PRIMARY KEY, name text)';
const QUESTION =
  /1 table of postgresql:\/\/\S+ has rows \([^)]+\), which the job replaces\. Continue\? \[y\/N\] /;

let bench: SyncBench;
let source: TestDatabase;
beforeAll(async () => {
  bench = await SyncBench.start();
  source = await bench.database(`${TABLE}; INSERT INTO customer VALUES (1, 'new')`);
});
afterAll(() => bench.stop());

const filled = () => bench.database(`${TABLE}; INSERT INTO customer VALUES (1, 'old')`);
const namesIn = async (target: TestDatabase) =>
  (await target.query('SELECT name FROM customer')).rows.map(({ name }) => name);

function argumentsFor(target: TestDatabase, ...options: readonly string[]): readonly string[] {
  const columns = { id: { preserve: true }, name: { preserve: true } };
  const job = bench.job('job.json', source, target, { tables: [{ name: 'customer', columns }] });
  return ['sync', job, '--pg-bin-dir', bench.postgresBinFolder, ...options];
}

/** Runs the command on a terminal, and types the keys when it asks. */
async function onTerminal(keys: string, args: readonly string[]) {
  const line = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(' ');
  const env = { ...process.env, TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: undefined };
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: bench.folder.folder, env });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const wasAsked = QUESTION.test(shown);
    shown += text;
    if (!wasAsked && QUESTION.test(shown)) child.stdin.write(keys);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, shown };
}

it.each([
  ['no', 'n\n'],
  ['nothing', '\n'],
  ['Ctrl-D', '\x04'],
  ['Ctrl-C', '\x03'],
])('leaves the target unchanged if the answer is %s', async (_, keys) => {
  const target = await filled();
  const { code, shown } = await onTerminal(keys, argumentsFor(target));
  expect(shown).toMatch(QUESTION);
  expect(code).toBe(130);
  expect(await namesIn(target)).toEqual(['old']);
});

it('replaces the rows if the answer is yes', async () => {
  const target = await filled();
  const { code, shown } = await onTerminal('y\n', argumentsFor(target));
  expect(shown).toMatch(QUESTION);
  expect(code).toBe(0);
  expect(await namesIn(target)).toEqual(['new']);
});

it.each([
  ['with --yes', filled, ['--yes']],
  ['if the tables have no rows', () => bench.database(TABLE), []],
  ['if the tables do not exist', () => bench.database(), []],
  ['before a dry run', filled, ['--dry-run']],
] as const)('does not ask %s', async (_, database, options) => {
  const { code, shown } = await onTerminal('', argumentsFor(await database(), ...options));
  expect(shown).not.toContain('[y/N]');
  expect(code).toBe(0);
});

it('does not ask a script without a terminal', async () => {
  const target = await filled();
  const { code, err } = await bench.folder.run(argumentsFor(target));
  expect([code, err]).toEqual([0, '']);
  expect(await namesIn(target)).toEqual(['new']);
});
