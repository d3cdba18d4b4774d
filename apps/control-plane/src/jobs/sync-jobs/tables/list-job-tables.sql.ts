/** The order of each `sort`. Tables with equal values are in the order of their positions. */
const ORDERS = {
  position: 'position',
  name: 'name COLLATE "C"',
  rows_processed: 'rows_processed',
  rows_total: 'rows_total',
  bytes_processed: 'bytes_processed',
  bytes_total: 'bytes_total',
  bytes_remaining: 'bytes_total - bytes_processed',
} as const;

type Order = keyof typeof ORDERS;
export type TableSort = Order | `-${Order}`;

const NAMES = Object.keys(ORDERS) as Order[];
export const TABLE_SORTS: readonly TableSort[] = NAMES.flatMap((name) => [name, `-${name}`] as const);

/** The columns in the form of the response. Numbers are at most 2^53 − 1, which float8 represents exactly. */
const COLUMNS = `position, name, status, rows_processed::float8, rows_total::float8, bytes_processed::float8,
    bytes_total::float8`;

/** $1 = job, $2 = status or null. Reads all tables of the job by primary key; 10,000 tables take milliseconds. */
const OF_JOB = 'FROM sync_job_tables AS job_table WHERE job_id = $1 AND ($2::text IS NULL OR status = $2)';

/** $3 = limit, $4 = offset. */
export function listTables(sort: TableSort): string {
  const isReversed = sort.startsWith('-');
  const order = ORDERS[(isReversed ? sort.slice(1) : sort) as Order];
  return `SELECT ${COLUMNS} ${OF_JOB}
    ORDER BY ${order} ${isReversed ? 'DESC' : 'ASC'} NULLS LAST, position LIMIT $3 OFFSET $4`;
}

export const COUNT_TABLES = `SELECT count(*)::integer AS total ${OF_JOB}`;

/**
 * $3 = revision, $4 = limit. `total` is the number of all tables that changed after the revision, in the same
 * snapshot as the rows.
 */
export const CHANGED_TABLES = `
  SELECT ${COLUMNS}, revision::float8, (count(*) OVER ())::integer AS total ${OF_JOB} AND revision > $3
  ORDER BY job_table.revision LIMIT $4`;
