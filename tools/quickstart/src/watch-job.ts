import { setTimeout as pause } from 'node:timers/promises';

import type { SyncJob, Understudy } from '@understudy/client';

const POLL_MS = 250;

/**
 * Polls a job until it ends, because webhooks would need an HTTP server. Writes a line for each phase, for
 * each reported throughput and for each change of the counts of a table.
 */
export async function watchJob(
  client: Understudy,
  id: string,
  write: (text: string) => void,
): Promise<SyncJob> {
  const shown = new Map<string, string>();
  let headline = '';
  for (;;) {
    const job = await client.jobs.get(id);
    const news = headlineOf(job.progress, Date.now());
    if (news !== undefined && news !== headline) {
      headline = news;
      write(`      ${news}\n`);
    }
    for (const table of job.table_progress) {
      const text = rowsText(table);
      if (table.status !== 'pending' && shown.get(table.name) !== text)
        write(`      ${table.name.padEnd(12)} ${text}\n`);
      shown.set(table.name, text);
    }
    if (job.status === 'completed' || job.status === 'failed') return job;
    await pause(POLL_MS);
  }
}

/** @returns a line such as `copying: 120000 rows/s, 11.3 MB/s, about 4 s left` */
function headlineOf(progress: SyncJob['progress'], nowMs: number): string | undefined {
  const { phase, rows_per_second: rows, bytes_per_second: bytes, estimated_end: end } = progress;
  if (phase === null) return undefined;
  if (!rows || bytes === null) return phase;
  const left =
    end === null ? '' : `, about ${Math.max(0, Math.ceil((Date.parse(end) - nowMs) / 1000))} s left`;
  return `${phase}: ${rows} rows/s, ${(bytes / 1e6).toFixed(1)} MB/s${left}`;
}

function rowsText({
  status,
  rows_processed: rows,
  rows_total: total,
}: SyncJob['table_progress'][number]): string {
  if (status === 'completed') return `${rows} rows, done`;
  if (status === 'verifying' || status === 'indexing') return `${rows} rows, ${status}`;
  const percent = total ? Math.min(100, Math.floor((100 * rows) / total)) : 0;
  return `${rows} rows, about ${percent} %`;
}
