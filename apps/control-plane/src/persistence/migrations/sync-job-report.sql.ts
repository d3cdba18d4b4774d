/** What a job tells of itself: bytes beside rows, its phase and pace, how long the phases took, what was verified. */
export const CREATE_SYNC_JOB_REPORT: readonly string[] = [
  `ALTER TABLE sync_jobs
     ADD COLUMN pace jsonb,
     ADD COLUMN phases jsonb NOT NULL DEFAULT '[]',
     ADD COLUMN verification jsonb`,
  `ALTER TABLE sync_job_tables
     ADD COLUMN bytes_processed bigint NOT NULL DEFAULT 0 CHECK (bytes_processed >= 0),
     ADD COLUMN bytes_total bigint CHECK (bytes_total >= 0),
     DROP CONSTRAINT sync_job_tables_status_known,
     ADD CONSTRAINT sync_job_tables_status_known
       CHECK (status IN ('pending', 'copying', 'indexing', 'verifying', 'completed'))`,
];

export const DROP_SYNC_JOB_REPORT: readonly string[] = [
  `UPDATE sync_job_tables SET status = 'copying' WHERE status IN ('indexing', 'verifying')`,
  `ALTER TABLE sync_job_tables
     DROP COLUMN bytes_processed,
     DROP COLUMN bytes_total,
     DROP CONSTRAINT sync_job_tables_status_known,
     ADD CONSTRAINT sync_job_tables_status_known CHECK (status IN ('pending', 'copying', 'completed'))`,
  `ALTER TABLE sync_jobs DROP COLUMN pace, DROP COLUMN phases, DROP COLUMN verification`,
];
