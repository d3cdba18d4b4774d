import { setTimeout as pause } from 'node:timers/promises';

import type { TableRequest, Understudy } from '@understudy/client';

export interface SyncRun {
  /** Time from the POST to the first response with the status `completed`. */
  readonly ms: number;
  /** Phase durations in milliseconds, as the job reports them. Empty if it reports none. */
  readonly phases: Readonly<Record<string, number>>;
}

// With a poll every 10 ms, the same jobs took about 15 % longer: on two cores, polling competes with copying.
const POLL_MS = 100;

/** A job between two databases of one server. */
export interface BenchJob {
  readonly name: string;
  readonly server: string;
  readonly source: string;
  readonly target: string;
  readonly tables: readonly TableRequest[];
}

/**
 * Runs a sync job to its end.
 * @throws Error if the job fails or has not processed the expected number of rows
 */
export async function runSyncJob(
  client: Understudy,
  { name, server, source, target, tables }: BenchJob,
  rows: number,
): Promise<SyncRun> {
  const database = (of: string) => ({ type: 'postgresql', connection_string: `${server}/${of}` });
  const started = performance.now();
  const { id } = await client.jobs.create({
    name,
    source: database(source),
    target: database(target),
    tables,
  });
  for (;;) {
    const job = await client.jobs.get(id);
    if (job.status === 'completed') {
      const ms = performance.now() - started;
      if (job.rows_processed !== rows)
        throw new Error(`expected ${rows} processed rows, the job reports ${job.rows_processed}`);
      return {
        ms,
        phases: Object.fromEntries(job.phases.map(({ phase, seconds }) => [phase, seconds * 1000])),
      };
    }
    if (job.status === 'failed')
      throw new Error(`the sync job failed: ${job.error?.message ?? 'no reason given'}`);
    await pause(POLL_MS);
  }
}
