/** What dry runs have found. */
export const CREATE_SYNC_JOB_PREDICTION: readonly string[] = [
  `ALTER TABLE sync_jobs ADD COLUMN prediction jsonb`,
];

export const DROP_SYNC_JOB_PREDICTION: readonly string[] = [`ALTER TABLE sync_jobs DROP COLUMN prediction`];
