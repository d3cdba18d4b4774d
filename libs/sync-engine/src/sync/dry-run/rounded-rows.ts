/**
 * A number of rows as a dry run tells it: two digits, and 0 for fewer than ten. Exact counts under a condition would let one
 * ask for single persons.
 */
export function roundedRows(rows: number): number {
  if (rows < 10) return 0;
  const unit = 10 ** Math.floor(Math.log10(rows) - 1);
  return Math.round(rows / unit) * unit;
}
