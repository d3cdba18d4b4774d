import { guard } from '../session/guard.js';
import { HAS_LARGE_OBJECTS, MAY_SEE_LARGE_OBJECTS, OID_COLUMNS, type Client } from '@understudy/postgres';
import type { FailureContexts } from '../session/failure-contexts.js';
import type { SyncWarning } from '@understudy/sync-job';
import type { TablePlan } from './table-plan.js';

/** As many columns are told of; more say nothing new. */
const MAX_WARNINGS = 20;

/**
 * Large objects are not copied: when the source has any, each preserved column that may name some is told of, or, where there is none, the
 * job alone. Whether a number or a text is the name of one is not known.
 * @param source in the snapshot
 */
export async function largeObjectWarnings(
  plans: readonly TablePlan[],
  source: Client,
  contexts: FailureContexts,
): Promise<readonly SyncWarning[]> {
  return guard(contexts.on('source'), async () => {
    const may = await source.query<{ allowed: boolean }>(MAY_SEE_LARGE_OBJECTS);
    if (may.rows[0]?.allowed !== true) return [];
    const asked = await source.query<{ found: boolean }>(HAS_LARGE_OBJECTS);
    if (asked.rows[0]?.found !== true) return [];
    const { rows } = await source.query<{ table: string; column: string }>(OID_COLUMNS, [
      plans.map((plan) => plan.source.oid),
    ]);
    const warnings = plans.flatMap((plan) => {
      const names = rows.filter(({ table }) => table === plan.source.oid).map(({ column }) => column);
      return warningsOf(plan, names);
    });
    return warnings.length === 0 ? [{ code: 'large_objects_skipped' }] : warnings.slice(0, MAX_WARNINGS);
  });
}

/** One for each listed column, and one for all others together. */
function warningsOf(
  { index, columns, columnIndex }: TablePlan,
  names: readonly string[],
): readonly SyncWarning[] {
  const preserved = columns
    .filter(({ fill }) => fill.kind === 'preserve')
    .map(({ description }) => description.name);
  const places = names.filter((name) => preserved.includes(name)).map((name) => columnIndex.get(name));
  return [...new Set(places)].map((place) => ({
    code: 'large_objects_skipped',
    tableIndex: index,
    ...(place === undefined ? {} : { columnIndex: place }),
  }));
}
