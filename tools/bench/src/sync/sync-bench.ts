import { setTimeout as pause } from 'node:timers/promises';

import { ControlPlaneClient, type StackInfo } from '@understudy/stack';

import { median } from '../median.js';
import { rawPipe } from './raw-pipe.js';
import { makeWideTable, onDatabase, WIDE_RULES } from './wide-table.js';

export interface SyncBenchResult {
  readonly rows: number;
  readonly columns: 13;
  readonly masked_columns: 4;
  readonly bytes: number;
  /** Milliseconds of each run, in the order they ran: pipe, sync, pipe, sync, … */
  readonly raw_pipe_ms: readonly number[];
  readonly sync_ms: readonly number[];
  readonly raw_pipe_median_ms: number;
  readonly sync_median_ms: number;
  /** sync_median_ms / raw_pipe_median_ms; below 1 the sync is faster than the plain copy. */
  readonly ratio: number;
  readonly rows_per_second: number;
}

const SOURCE = 'bench_source';
const TARGETS = { pipe: 'bench_pipe', sync: 'bench_sync' };
// Asked every 10 ms the same jobs took about 15 % longer: on two cores the asking competes with the copying.
const POLL_MS = 100;

/** Copies one table by psql and by a sync job in turn, on the same server: primary key in place, same durability. */
export async function benchSync(
  stack: StackInfo,
  psql: string,
  rows: number,
  rounds: number,
  say: (text: string) => void,
): Promise<SyncBenchResult> {
  const server = stack.databases_url;
  say(`making ${rows} rows`);
  await makeWideTable(server, SOURCE, rows);
  for (const target of Object.values(TARGETS)) await makeWideTable(server, target, 0);
  const bytes = await onDatabase(`${server}/${SOURCE}`, async (client) => {
    const answer = await client.query<{ bytes: string }>(
      'SELECT sum(octet_length(wide::text))::text AS bytes FROM wide',
    );
    return Number(answer.rows[0]?.bytes);
  });
  const api = new ControlPlaneClient(stack.base_url, stack.api_token);
  const pipeMs: number[] = [];
  const syncMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await onDatabase(`${server}/${TARGETS.pipe}`, (client) => client.query('TRUNCATE wide'));
    await settle(server);
    pipeMs.push(await rawPipe(psql, `${server}/${SOURCE}`, `${server}/${TARGETS.pipe}`));
    await settle(server);
    syncMs.push(await syncJob(api, server, rows));
    say(
      `round ${round + 1}: psql | psql ${pipeMs[round]?.toFixed(0)} ms, sync job ${syncMs[round]?.toFixed(0)} ms`,
    );
  }
  const [pipeMedian, syncMedian] = [median(pipeMs), median(syncMs)];
  return {
    rows,
    columns: 13,
    masked_columns: 4,
    bytes,
    raw_pipe_ms: pipeMs,
    sync_ms: syncMs,
    raw_pipe_median_ms: pipeMedian,
    sync_median_ms: syncMedian,
    ratio: syncMedian / pipeMedian,
    rows_per_second: Math.round(rows / (syncMedian / 1000)),
  };
}

/** From POST to the first answer that says completed. */
async function syncJob(api: ControlPlaneClient, server: string, rows: number): Promise<number> {
  const started = performance.now();
  const { id } = await api.createSyncJob({
    name: 'bench',
    source: { type: 'postgresql', connection_string: `${server}/${SOURCE}` },
    target: { type: 'postgresql', connection_string: `${server}/${TARGETS.sync}` },
    tables: [{ name: 'wide', columns: WIDE_RULES }],
  });
  for (;;) {
    const job = await api.syncJob(id);
    if (job.status === 'completed') {
      if (job.rows_processed !== rows)
        throw new Error(`expected ${rows} rows processed, the job says ${job.rows_processed}`);
      return performance.now() - started;
    }
    if (job.status === 'failed')
      throw new Error(`the sync job failed: ${job.error?.message ?? 'no reason given'}`);
    await pause(POLL_MS);
  }
}

/** So that no run pays for the dirty pages of the one before it. */
async function settle(server: string): Promise<void> {
  await onDatabase(`${server}/postgres`, (client) => client.query('CHECKPOINT'));
}
