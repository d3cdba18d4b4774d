import { formatCounts, formatFixed, formatMebibytes } from '../format.js';
import type { Summary } from '../summary.js';
import type { GenerateBenchResult } from './generate-bench.js';

/** Describes the result as text for a terminal. */
export function describeResult(result: GenerateBenchResult): string {
  const { peer, cells, threads, compile, http, postgres } = result;
  const lines = [`medians of ${result.rounds} rounds, measured in turn (minimum to maximum)`];
  if (peer) {
    lines.push('', 'six-field person to NDJSON bytes, one thread, records/s');
    for (const one of peer.contenders)
      lines.push(
        `  ${one.name.padEnd(36)} ${formatCounts(one.records_per_second).padEnd(36)} ${times(one.ratio_to_faker)} faker`,
      );
  }
  if (cells) {
    lines.push('', 'cells/s of each generator');
    for (const one of cells)
      lines.push(`  ${one.generator.padEnd(36)} ${formatCounts(one.cells_per_second)}`);
  }
  if (threads)
    lines.push(
      '',
      `${threads.records} persons: one thread ${ms(threads.one_thread_ms)}, two threads ${ms(threads.two_threads_ms)}: ${times(threads.ratio)}`,
    );
  if (compile)
    lines.push(
      '',
      `a schema of ${compile.generators} generators: compiled in ${ms(compile.warm_ms)}; the first time in a thread ${ms(compile.cold_ms)}`,
    );
  if (http)
    lines.push(
      '',
      `POST /v1/generate, ${http.records} persons as NDJSON`,
      `  first byte ${ms(http.first_byte_ms)}; in the first request of the server ${http.first_request.first_byte_ms.toFixed(1)} ms`,
      `  ${formatCounts(http.records_per_second)} records/s; only the library ${formatCounts(http.library_records_per_second)}: ${times(http.ratio_to_library)}`,
      `  memory of the server grew by ${http.memory_growth_bytes === null ? 'an unknown amount' : formatMebibytes(http.memory_growth_bytes, 1)}`,
      `  GET /healthz ${ms(http.healthz_idle_ms)} idle, ${ms(http.healthz_during_ms)} under load`,
    );
  if (postgres)
    lines.push(
      '',
      `${postgres.rows} persons into a table, ${Math.round(postgres.bytes / postgres.rows)} bytes a row, rows/s`,
      `  understudy generate --into   ${formatCounts(postgres.rows_per_second)}`,
      `  psql \\copy of the same rows   ${formatCounts(postgres.psql_copy_rows_per_second)}: ${times(postgres.ratio_to_psql_copy)}`,
      `  pgbench -i -I dtg            ${formatCounts(postgres.pgbench_rows_per_second)}: ${times(postgres.ratio_to_pgbench)}`,
    );
  return lines.join('\n');
}

const ms = (summary: Summary): string => formatFixed(summary, 1, ' ms');
const times = (summary: Summary): string => formatFixed(summary, 2, ' ×');
