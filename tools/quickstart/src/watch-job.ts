import { setTimeout as pause } from 'node:timers/promises';

import type { ControlPlaneClient, SyncJob } from '@understudy/stack';

const POLL_MS = 250;

/**
 * Follows a job until it ends, writing one line a table as the counts move.
 * The API has no push channel for this; webhooks serve programs that must not poll.
 */
export async function watchJob(
  api: ControlPlaneClient,
  id: string,
  write: (text: string) => void,
): Promise<SyncJob> {
  const shown = new Map<string, string>();
  for (;;) {
    const job = await api.syncJob(id);
    for (const table of job.table_progress) {
      const percent =
        table.rows_total > 0 ? Math.min(100, Math.floor((100 * table.rows_processed) / table.rows_total)) : 0;
      const text =
        table.status === 'completed'
          ? `${table.rows_processed} rows, done`
          : `${table.rows_processed} rows, about ${percent} %`;
      if (table.status !== 'pending' && shown.get(table.name) !== text)
        write(`      ${table.name.padEnd(12)} ${text}\n`);
      shown.set(table.name, text);
    }
    if (job.status === 'completed' || job.status === 'failed') return job;
    await pause(POLL_MS);
  }
}
