import { Understudy } from '@understudy/client';
import { withClient } from '@understudy/local-system';
import type { StackInfo } from '@understudy/stack';

import { log } from '../bench-environment.js';
import { median } from '../summary.js';
import { runSyncJob } from './run-sync-job.js';
import { makeDatabase } from './wide-table.js';

const TABLES = 200;
const ROWS = 20;
const SOURCE = 'bench_tables';
const TARGET = 'bench_tables_copy';

/** Measures how much time each additional table with few rows adds to a job. */
export async function benchSmallTables(stack: StackInfo, rounds: number) {
  const server = stack.databases_url;
  await makeDatabase(server, SOURCE);
  await withClient(`${server}/${SOURCE}`, async (client) => {
    for (const name of NAMES) {
      await client.query(`
        CREATE TABLE ${name} (id int PRIMARY KEY, email text NOT NULL, note text);
        CREATE INDEX ON ${name} (email);
        INSERT INTO ${name} SELECT n, 'someone' || n || '@mail.example', 'a note' FROM generate_series(1, ${ROWS}) n`);
    }
    await client.query('VACUUM ANALYZE');
  });
  const client = new Understudy({ baseUrl: stack.base_url, token: stack.api_token });
  const columns = { email: { generator: 'template', pattern: '{{uuid}}@example.test' } };
  const run = async (names: readonly string[]) => {
    const tables = names.map((name) => ({ name, columns }));
    const job = { name: 'small tables benchmark', server, source: SOURCE, target: TARGET, tables };
    return (await runSyncJob(client, job, names.length * ROWS)).ms;
  };
  const times = {
    missing: { all: [] as number[], one: [] as number[] },
    replace: { all: [] as number[], one: [] as number[] },
  };
  // The first job warms up the agent, so it is not measured.
  await makeDatabase(server, TARGET);
  await run(NAMES.slice(0, 1));
  for (let round = 0; round < rounds; round += 1) {
    for (const [key, names] of [
      ['one', NAMES.slice(0, 1)],
      ['all', NAMES],
    ] as const) {
      await makeDatabase(server, TARGET);
      times.missing[key].push(await run(names));
      times.replace[key].push(await run(names));
    }
    log(
      `round ${round + 1}: ${TABLES} tables created in ${times.missing.all.at(-1)?.toFixed(0)} ms, replaced in ${times.replace.all.at(-1)?.toFixed(0)} ms`,
    );
  }
  return {
    tables: TABLES,
    rows_of_each: ROWS,
    missing: overhead(times.missing),
    replace: overhead(times.replace),
  };
}

const NAMES = Array.from({ length: TABLES }, (_, i) => `small_${i}`);

function overhead({ all, one }: Record<'all' | 'one', readonly number[]>) {
  return {
    /** Durations of the job with all tables. This job and a job with one table (`one_ms`) run in turn. */
    all_ms: all,
    one_ms: one,
    /** (median of all − median of one) / (tables − 1) */
    ms_a_table: (median(all) - median(one)) / (TABLES - 1),
  };
}
