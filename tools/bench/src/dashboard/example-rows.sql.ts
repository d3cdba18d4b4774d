import { withClient } from '@understudy/local-system';
import type { StackInfo } from '@understudy/stack';

/** The id of the job with 10,000 tables. */
export const LARGE_JOB_ID = 'job_01K09999999999999999999999';

/**
 * Inserts completed jobs and one job with many tables into the database of the control plane, because an agent would
 * need hours to run them.
 */
export async function insertExampleRows(stack: StackInfo, jobs: number, tables: number): Promise<void> {
  await withClient(stack.control_db_url, async (client) => {
    await client.query(INSERT_JOBS, [stack.org_id, jobs]);
    await client.query(INSERT_LARGE_JOB, [LARGE_JOB_ID, stack.org_id, tables]);
    await client.query(INSERT_TABLES, [LARGE_JOB_ID, tables]);
    await client.query('ANALYZE sync_jobs, sync_job_tables');
  });
}

const COLUMNS = `id, organization_id, name, status, source_display, target_display, source, target,
    definition, seed, reference_instant, created_at, started_at, completed_at, rows_processed`;
const DATABASES = `'agent:shop', 'agent:copy', '{"kind": "agent", "name": "shop"}', '{"kind": "agent", "name": "copy"}'`;

const INSERT_JOBS = `
  INSERT INTO sync_jobs (${COLUMNS})
  SELECT 'job_01K' || lpad(n::text, 23, '0'), $1, 'Nightly copy ' || n, 'completed', ${DATABASES},
    '{"unlistedColumns": "preserve", "tables": []}', 42, '2026-01-01T00:00:00Z',
    now() - n * interval '1 minute', now() - n * interval '1 minute', now() - n * interval '50 seconds', n
  FROM generate_series(1, $2::integer) AS n`;

const INSERT_LARGE_JOB = `
  INSERT INTO sync_jobs (${COLUMNS})
  SELECT $1, $2, 'Copy of many tables', 'completed', ${DATABASES},
    jsonb_build_object('unlistedColumns', 'preserve', 'tables',
      (SELECT jsonb_agg(jsonb_build_object('name', 'table_' || n, 'columns', '[]'::jsonb))
       FROM generate_series(1, $3::integer) AS n)),
    42, '2026-01-01T00:00:00Z', now(), now(), now(), $3`;

const INSERT_TABLES = `
  INSERT INTO sync_job_tables (job_id, position, name, status, rows_processed, rows_total, bytes_processed)
  SELECT $1, n - 1, 'table_' || n, 'completed', n, n, n * 100 FROM generate_series(1, $2::integer) AS n`;
