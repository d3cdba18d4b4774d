import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { Understudy } from '@understudy/client';
import { withClient } from '@understudy/local-system';
import type { StackInfo } from '@understudy/stack';

import { log } from '../bench-environment.js';
import { formatMebibytes, formatSeconds } from '../format.js';
import { median } from '../summary.js';
import { checkpoint, makeWideTable } from '../sync/wide-table.js';
import { plainDump, plainRestore } from './plain-tools.js';

export interface SnapshotBenchOptions {
  /** Number of rows in each of the {@link TABLES} tables. */
  readonly rows: number;
  readonly rounds: number;
}

const SOURCE = 'bench_snapshot';
const [PLAIN, RESTORED] = ['bench_plain', 'bench_restored'];
const TABLES = 4;

/**
 * Takes and restores a snapshot of a database over REST in each round. Each round also runs plain pg_dump and
 * pg_restore on the same server.
 * @param folder receives the plain dumps
 */
export async function benchSnapshot(
  stack: StackInfo,
  folder: string,
  { rows, rounds }: SnapshotBenchOptions,
) {
  const server = stack.databases_url;
  const client = new Understudy({ baseUrl: stack.base_url, token: stack.api_token });
  log(`creating ${TABLES} tables of ${rows} rows`);
  await makeTables(server, rows);
  const dump = join(folder, 'plain');
  const times = {
    dump: [] as number[],
    same: [] as number[],
    load: [] as number[],
    make: [] as number[],
    restore: [] as number[],
  };
  let bytes = { snapshot: 0, plain: 0 };
  for (let round = 0; round < rounds; round += 1) {
    times.same.push((await plainDump(`${server}/${SOURCE}`, dump, ['-Z1'])).ms);
    const plain = await plainDump(`${server}/${SOURCE}`, dump);
    times.dump.push(plain.ms);
    await checkpoint(stack);
    const made = await makeSnapshot(client, `${server}/${SOURCE}`);
    times.make.push(made.ms);
    bytes = { snapshot: made.bytes, plain: plain.bytes };
    await checkpoint(stack);
    times.load.push(await plainRestore(server, PLAIN, dump));
    await dropDatabase(server, PLAIN);
    await checkpoint(stack);
    times.restore.push(await restoreSnapshot(client, made.id, `${server}/${RESTORED}`));
    await dropDatabase(server, RESTORED);
    await client.snapshots.delete(made.id);
    log(
      `round ${round + 1}: ${Object.entries(times)
        .map(([name, ms]) => `${name} ${ms.at(-1)?.toFixed(0)} ms`)
        .join(', ')}`,
    );
  }
  return {
    rows,
    tables: TABLES,
    /** Time from the POST to the status `ready`, compared with `pg_dump -Fd -j2` with its defaults. */
    snapshot: compared(times.make, times.dump),
    /**
     * Time from the POST to the status `completed`, compared with `createdb` and `pg_restore -j2` of that dump.
     */
    restore: compared(times.restore, times.load),
    /**
     * Time of `pg_dump -Fd -j2 -Z1`, which uses the compression level of the agent, but does not write to a
     * snapshot store.
     */
    dump_same_level_median_ms: median(times.same),
    bytes,
  };
}

/** Describes the result for a terminal, one line per figure. */
export function describeSnapshot(result: Awaited<ReturnType<typeof benchSnapshot>>): string {
  const { snapshot, restore, dump_same_level_median_ms: same, bytes } = result;
  const line = (name: string, peer: string, { median_ms, plain_median_ms, ratio }: typeof snapshot) =>
    `${name}: ${formatSeconds(median_ms)}, ${ratio.toFixed(2)} × ${peer} (${formatSeconds(plain_median_ms)})`;
  return [
    line('snapshot', 'pg_dump -Fd -j2', snapshot),
    line('restore', 'createdb, pg_restore -j2', restore),
    `pg_dump -Fd -j2 -Z1: ${formatSeconds(same)}`,
    `stored: ${formatMebibytes(bytes.snapshot, 1)}, pg_dump -Fd: ${formatMebibytes(bytes.plain, 1)}`,
  ].join('\n');
}

async function makeTables(server: string, rows: number): Promise<void> {
  await makeWideTable(server, SOURCE, rows);
  await withClient(`${server}/${SOURCE}`, async (client) => {
    for (let table = 1; table < TABLES; table += 1) {
      await client.query(`CREATE TABLE wide_${table} (LIKE wide)`);
      await client.query(`INSERT INTO wide_${table} SELECT * FROM wide`);
      await client.query(`ALTER TABLE wide_${table} ADD PRIMARY KEY (id)`);
    }
    await client.query('VACUUM ANALYZE');
  });
}

async function makeSnapshot(
  client: Understudy,
  database: string,
): Promise<{ id: string; ms: number; bytes: number }> {
  const started = performance.now();
  const { id } = await client.snapshots.create({ name: 'bench', database });
  for (;;) {
    const { status, size_bytes: bytes, error } = await client.snapshots.get(id);
    if (status === 'ready') return { id, ms: performance.now() - started, bytes };
    if (status !== 'creating') throw new Error(`the snapshot failed: ${error?.message ?? 'no reason given'}`);
    await pause(POLL_MS);
  }
}

async function restoreSnapshot(client: Understudy, id: string, target: string): Promise<number> {
  const started = performance.now();
  const { restore_id: restoreId } = await client.snapshots.restore(id, { target_database: target });
  for (;;) {
    const { status, error } = await client.snapshots.getRestore(id, restoreId);
    if (status === 'completed') return performance.now() - started;
    if (status === 'failed') throw new Error(`the restore failed: ${error?.message ?? 'no reason given'}`);
    await pause(POLL_MS);
  }
}

/** Drops a database without FORCE, because the role may not end autovacuum. The server ends it itself. */
function dropDatabase(server: string, database: string): Promise<unknown> {
  return withClient(`${server}/postgres`, (client) => client.query(`DROP DATABASE ${database}`));
}

function compared(ms: readonly number[], plain: readonly number[]) {
  const [medianMs, plainMedian] = [median(ms), median(plain)];
  return {
    ms,
    median_ms: medianMs,
    plain_ms: plain,
    plain_median_ms: plainMedian,
    /** median_ms / plain_median_ms */
    ratio: medianMs / plainMedian,
  };
}

const POLL_MS = 100;
