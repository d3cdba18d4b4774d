import { HAS_LARGE_OBJECTS, MAY_SEE_LARGE_OBJECTS, OID_COLUMNS } from '@understudy/postgres';
import type { LocatedClient } from '../session/located-client.js';
import { defined, type SyncJobCommand, type SyncWarning } from '@understudy/sync-job';
import type { TablePlan } from './table-plan.js';

/** The largest number of columns to warn about. */
const MAX_WARNINGS = 20;

/**
 * Warns that large objects are not copied, if the source has any. There is one warning for each preserved
 * column of type oid that the job lists. The unlisted columns of a table share one warning. If no preserved
 * column has type oid, there is one warning for the whole job.
 * @param source a client in the snapshot
 */
export async function largeObjectWarnings(
  plans: readonly TablePlan[],
  source: LocatedClient,
  { largeObjects }: Pick<SyncJobCommand, 'largeObjects'>,
): Promise<readonly SyncWarning[]> {
  if (largeObjects === 'copy') return [];
  const may = await source.query<{ allowed: boolean }>(MAY_SEE_LARGE_OBJECTS);
  if (may.rows[0]?.allowed !== true) return [];
  const existing = await source.query<{ found: boolean }>(HAS_LARGE_OBJECTS);
  if (existing.rows[0]?.found !== true) return [];
  const { rows } = await source.query<{ table: string; column: string }>(OID_COLUMNS, [
    plans.map((plan) => plan.source.oid),
  ]);
  const warnings = plans.flatMap((plan) => {
    const names = rows.filter(({ table }) => table === plan.source.oid).map(({ column }) => column);
    return warningsOf(plan, names);
  });
  return warnings.length === 0 ? [{ code: 'large_objects_skipped' }] : warnings.slice(0, MAX_WARNINGS);
}

/** Returns one warning for each column that the job lists, and one for all other columns together. */
function warningsOf(
  { index, columns, columnIndex: indexOf }: TablePlan,
  names: readonly string[],
): readonly SyncWarning[] {
  const preserved = columns
    .filter(({ fill }) => fill.kind === 'preserve')
    .map(({ description }) => description.name);
  const indexes = names.filter((name) => preserved.includes(name)).map((name) => indexOf.get(name));
  return [...new Set(indexes)].map((columnIndex) => ({
    code: 'large_objects_skipped',
    tableIndex: index,
    ...defined({ columnIndex }),
  }));
}
