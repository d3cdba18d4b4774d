import type { Compared, SnapshotBenchResult } from './snapshot-bench.js';

/** The result for a terminal, a line a figure. */
export function describeSnapshot(result: SnapshotBenchResult): string {
  const { snapshot, restore, dump_same_level_median_ms: same, bytes } = result;
  const line = (name: string, peer: string, { median_ms, plain_median_ms, ratio }: Compared) =>
    `${name}: ${seconds(median_ms)}, ${ratio.toFixed(2)} × ${peer} (${seconds(plain_median_ms)})`;
  return [
    line('snapshot', 'pg_dump -Fd -j2', snapshot),
    line('restore', 'createdb, pg_restore -j2', restore),
    `pg_dump -Fd -j2 -Z1: ${seconds(same)}`,
    `stored: ${mebibytes(bytes.snapshot)}, pg_dump -Fd: ${mebibytes(bytes.plain)}`,
  ].join('\n');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
