import { type TableRequest, Understudy } from '@understudy/client';
import { withClient } from '@understudy/local-system';
import type { StackInfo } from '@understudy/stack';

import { log } from '../bench-environment.js';
import { formatMebibytes } from '../format.js';
import { ProcessMemory } from '../process-memory.js';
import { runSyncJob } from './run-sync-job.js';
import { makeDatabase, makeWideTable, WIDE_RULES } from './wide-table.js';

const SOURCE = 'bench_memory';
const TARGET = 'bench_memory_copy';
const LARGE_ROWS = 60;
const LARGE_BYTES = 10_000_000;

/**
 * Measures the agent's peak memory, which must not depend on the number of rows or on their size.
 * @returns peaks of the resident memory in bytes. null if the system does not report them
 */
export async function benchMemory(stack: StackInfo, rows: number) {
  const server = stack.databases_url;
  const client = new Understudy({ baseUrl: stack.base_url, token: stack.api_token });
  const memory = new ProcessMemory(stack.pids.agents[0]);
  const measure = async (count: number, table: string, columns: TableRequest['columns']) => {
    await makeDatabase(server, TARGET);
    memory.resetPeak();
    const tables = [{ name: table, columns }];
    const job = { name: 'memory benchmark', server, source: SOURCE, target: TARGET, tables };
    await runSyncJob(client, job, count);
    const found = { rows: count, peak_bytes: memory.peakBytes() };
    log(`${count} rows of ${table}: ${formatMebibytes(found.peak_bytes, 0)}`);
    return found;
  };
  const wide = async (count: number) => {
    await makeWideTable(server, SOURCE, count);
    return measure(count, 'wide', WIDE_RULES);
  };
  memory.resetPeak();
  const idle = memory.peakBytes();
  const once = await wide(rows);
  const fivefold = await wide(5 * rows);
  await makeLargeRows(server);
  const masked = { generator: 'template', pattern: '{{uuid}}' };
  return {
    idle_bytes: idle,
    rows_1_fold: once,
    rows_5_fold: fivefold,
    /** Rows of 10 MB, in which only a small column is masked. */
    large_rows: await measure(LARGE_ROWS, 'large', { email: masked }),
    /** The same rows of 10 MB, in which the large column is masked. */
    large_values_masked: await measure(LARGE_ROWS, 'large', { body: masked }),
  };
}

async function makeLargeRows(server: string): Promise<void> {
  await makeDatabase(server, SOURCE);
  await withClient(`${server}/${SOURCE}`, async (client) => {
    await client.query('CREATE TABLE large (id int PRIMARY KEY, email text, body text)');
    await client.query('ALTER TABLE large ALTER COLUMN body SET STORAGE EXTERNAL');
    await client.query(
      `INSERT INTO large SELECT n, 'someone@mail.example', repeat(md5(n::text), ${LARGE_BYTES / 32}) FROM generate_series(1, ${LARGE_ROWS}) n`,
    );
  });
}
