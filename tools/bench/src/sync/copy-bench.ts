import { Understudy } from '@understudy/client';
import { withClient } from '@understudy/local-system';
import type { StackInfo } from '@understudy/stack';
import { ensurePgcopydb } from '@understudy/testing/provision';

import { log } from '../bench-environment.js';
import { median } from '../summary.js';
import { pgcopydbClone, rawPipe } from './peers.js';
import { runSyncJob, type SyncRun } from './run-sync-job.js';
import { checkpoint, makeDatabase, makeWideTable, WIDE_RULES } from './wide-table.js';

const SOURCE = 'bench_source';
const [PIPE, REPLACE, MISSING, CLONE] = ['bench_pipe', 'bench_replace', 'bench_missing', 'bench_clone'];

/**
 * Copies one table with psql, with sync jobs and with pgcopydb in turn. All use the same server, the same
 * primary key and the same durability settings.
 */
export async function benchCopy(stack: StackInfo, rows: number, rounds: number) {
  const server = stack.databases_url;
  const pgcopydb = await ensurePgcopydb(log);
  if (pgcopydb === undefined) log('pgcopydb was skipped because this machine does not have it');
  log(`creating ${rows} rows`);
  await makeWideTable(server, SOURCE, rows);
  for (const target of [PIPE, REPLACE]) await makeWideTable(server, target, 0);
  const client = new Understudy({ baseUrl: stack.base_url, token: stack.api_token });
  const tables = [{ name: 'wide', columns: WIDE_RULES }];
  const job = (target: string) =>
    runSyncJob(client, { name: 'bench', server, source: SOURCE, target, tables }, rows);
  const pipeMs: number[] = [];
  const replace: SyncRun[] = [];
  const missing: SyncRun[] = [];
  const cloneMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await withClient(`${server}/${PIPE}`, (client) => client.query('TRUNCATE wide'));
    await checkpoint(stack);
    pipeMs.push(await rawPipe(`${server}/${SOURCE}`, `${server}/${PIPE}`));
    await checkpoint(stack);
    replace.push(await job(REPLACE));
    await makeDatabase(server, MISSING);
    await checkpoint(stack);
    missing.push(await job(MISSING));
    if (pgcopydb !== undefined) {
      await makeDatabase(server, CLONE);
      await checkpoint(stack);
      cloneMs.push(await pgcopydbClone(pgcopydb, `${server}/${SOURCE}`, `${server}/${CLONE}`));
    }
    const last = (name: string, ms: number | undefined) =>
      ms === undefined ? '' : `, ${name} ${ms.toFixed(0)} ms`;
    log(
      `round ${round + 1}: psql | psql ${pipeMs.at(-1)?.toFixed(0)} ms${last('replace', replace.at(-1)?.ms)}${last('missing', missing.at(-1)?.ms)}${last('pgcopydb', cloneMs.at(-1))}`,
    );
  }
  const pipeMedian = median(pipeMs);
  const ofMissing = jobTimes(missing, rows, pipeMedian);
  return {
    rows,
    columns: 13,
    masked_columns: 4,
    bytes: await textBytes(`${server}/${SOURCE}`),
    /** `psql | psql` into an empty table with the primary key in place. Milliseconds of each round. */
    raw_pipe_ms: pipeMs,
    raw_pipe_median_ms: pipeMedian,
    /** A job that replaces an existing table. From the second round on, this table is not empty. */
    replace: jobTimes(replace, rows, pipeMedian),
    /** A job that creates the table. */
    missing: ofMissing,
    /**
     * pgcopydb, which copies the same table without masking into an empty database. null if the machine has no
     * pgcopydb.
     */
    pgcopydb:
      cloneMs.length === 0
        ? null
        : {
            ms: cloneMs,
            median_ms: median(cloneMs),
            /** Time of the job that creates the table divided by the time of pgcopydb. */
            ratio_of_missing: ofMissing.median_ms / median(cloneMs),
          },
  };
}

function jobTimes(runs: readonly SyncRun[], rows: number, pipeMedian: number) {
  const medianMs = median(runs.map(({ ms }) => ms));
  const names = new Set(runs.flatMap(({ phases }) => Object.keys(phases)));
  return {
    ms: runs.map(({ ms }) => ms),
    median_ms: medianMs,
    /** Medians by phase, as the job reports them. Empty if it reports none. */
    phases_ms: Object.fromEntries(
      [...names].map((name) => [name, median(runs.map(({ phases }) => phases[name] ?? 0))]),
    ),
    /** median_ms / raw_pipe_median_ms. If it is below 1, the job is faster than the plain copy. */
    ratio: medianMs / pipeMedian,
    rows_per_second: Math.round(rows / (medianMs / 1000)),
  };
}

async function textBytes(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const result = await client.query<{ bytes: string }>(
      'SELECT sum(octet_length(wide::text))::text AS bytes FROM wide',
    );
    return Number(result.rows[0]?.bytes);
  });
}
