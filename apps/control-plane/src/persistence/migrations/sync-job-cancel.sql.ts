/** Jobs that are to be cancelled; and jobs that have ended lose the sealed URLs that nobody opens any more. */
export const CREATE_SYNC_JOB_CANCEL: readonly string[] = [
  `ALTER TABLE sync_jobs ADD COLUMN cancel_requested_at timestamptz`,
  ...['source', 'target'].map(
    (side) => `UPDATE sync_jobs SET ${side} = '{"kind":"sealed","by_agent":{}}'
      WHERE status IN ('completed', 'failed') AND ${side} ->> 'kind' = 'sealed'`,
  ),
];

export const DROP_SYNC_JOB_CANCEL: readonly string[] = [
  `ALTER TABLE sync_jobs DROP COLUMN cancel_requested_at`,
];
