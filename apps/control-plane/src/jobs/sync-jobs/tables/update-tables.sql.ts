import type { TableState } from '../sync-job.js';

/** Adds the tables of a new job, which are pending. $1 = job, $2 = names. */
export const INSERT_TABLES = `
  INSERT INTO sync_job_tables (job_id, position, name)
  SELECT $1, number - 1, name FROM unnest($2::text[]) WITH ORDINALITY AS one (name, number)`;

/**
 * Writes the changed tables of a job in one statement. Each of them gets a revision of its own, in the order of
 * the arguments. Lock the row of the job first.
 */
export const UPDATE_TABLES = `
  UPDATE sync_job_tables AS t
  SET status = changed.status, rows_processed = changed.rows_processed, rows_total = changed.rows_total,
    bytes_processed = changed.bytes_processed, bytes_total = changed.bytes_total,
    revision = $2::bigint + changed.number
  FROM unnest($3::integer[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
    WITH ORDINALITY AS changed (position, status, rows_processed, rows_total, bytes_processed, bytes_total, number)
  WHERE t.job_id = $1 AND t.position = changed.position`;

/** Returns the parameters of {@link UPDATE_TABLES}. */
export function tableUpdates(
  { id, revision }: { readonly id: string; readonly revision: number },
  positions: readonly number[],
  tables: readonly TableState[],
): unknown[] {
  const states = positions.flatMap((position) => tables[position] ?? []);
  return [
    ...[id, revision, positions],
    states.map(({ status }) => status),
    states.map(({ rowsProcessed }) => rowsProcessed),
    states.map(({ rowsTotal }) => rowsTotal),
    states.map(({ bytesProcessed }) => bytesProcessed),
    states.map(({ bytesTotal }) => bytesTotal),
  ];
}
