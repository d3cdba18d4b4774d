import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { withClient } from '@understudy/local-system';
import type { StackInfo } from '@understudy/stack';
import { ensureBinaries } from '@understudy/testing/provision';

import { log } from '../bench-environment.js';
import { ratios, summaryOf } from '../summary.js';
import { makeDatabase } from '../sync/wide-table.js';
import { timeProgram } from '../time-program.js';
import { personSchema } from './schemas/person-schema.js';

/** Number of rows that pgbench creates for each unit of its scale. */
const PGBENCH_ROWS = 100_000;
const DATABASE = 'bench_generate';
const TABLE = `CREATE TABLE persons (id uuid, first_name text, last_name text, email text, age int, created_at timestamptz)`;

/**
 * Measures programs that load rows into a table without an index. They run in turn, each in its own process,
 * and use the same server.
 * @param folder an empty folder
 */
export async function intoPostgres(stack: StackInfo, folder: string, rows: number, rounds: number) {
  const { binFolder } = (await ensureBinaries()).postgres;
  const url = `${stack.databases_admin_url}/${DATABASE}`;
  const schema = join(folder, 'persons.json');
  const file = join(folder, 'persons.copy');
  const scale = Math.ceil(rows / PGBENCH_ROWS);
  const run = async (program: string, args: readonly string[]) => (await timeProgram(program, args)) / 1000;
  const generate = (...args: string[]) => run(process.execPath, [CLI, 'generate', schema, ...args]);
  const count = ['--count', String(rows), '--seed', '1', '--now', '2026-01-01'];
  writeFileSync(schema, JSON.stringify(personSchema('models')));
  await makeDatabase(stack.databases_admin_url, DATABASE);
  await withClient(url, (client) => client.query(TABLE));
  await generate(...count, '--format', 'copy', '--rows-only', '--out', file);
  const own: number[] = [];
  const copied: number[] = [];
  const pgbench: number[] = [];
  const emptied = () =>
    withClient(url, (client) => client.query('TRUNCATE persons').then(() => client.query('CHECKPOINT')));
  for (let round = 0; round < rounds; round += 1) {
    await emptied();
    own.push(rows / (await generate(...count, '--into', url, '--table', 'persons')));
    await emptied();
    copied.push(
      rows / (await run(join(binFolder, 'psql'), ['-qX', url, '-c', `\\copy persons FROM '${file}'`])),
    );
    await emptied();
    const made = await run(join(binFolder, 'pgbench'), ['-i', '-q', '-I', 'dtg', '-s', String(scale), url]);
    pgbench.push((scale * PGBENCH_ROWS) / made);
    const shown = [own, copied, pgbench].map((speeds) => Math.round(speeds.at(-1) ?? 0));
    log(
      `round ${round + 1}: generate --into ${shown[0]}/s, psql \\copy ${shown[1]}/s, pgbench -i ${shown[2]}/s`,
    );
  }
  return {
    rows,
    /** Size of the rows in COPY's text format. */
    bytes: statSync(file).size,
    /**
     * `understudy generate --into`, which generates and loads the rows. It is started again each round, like
     * the peers.
     */
    rows_per_second: summaryOf(own),
    /** `psql -c '\copy …'`, which only loads the same rows from a file that already exists. */
    psql_copy_rows_per_second: summaryOf(copied),
    /** `pgbench -i` without its indexes and vacuum. It generates and loads its own rows of four columns. */
    pgbench_rows_per_second: summaryOf(pgbench),
    ratio_to_psql_copy: ratios(own, copied),
    ratio_to_pgbench: ratios(own, pgbench),
  };
}

const CLI = join(import.meta.dirname, '../../../../apps/cli/bin/understudy.js');
