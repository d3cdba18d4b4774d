import { type CellMask, type JobKeyMaterial, MaskingError, sampleValues } from '@understudy/masking';
import type { Client } from '@understudy/postgres';
import { producedColumns } from '../../plan/compile-masks.js';
import { comparesOriginals, tryValues, type TriedColumn } from '../../plan/values/try-values.js';
import { tryMaskedRows } from './try-masked-rows.js';
import type { PlannedTables } from './plan-survey.js';

/** A column that does not accept the values of its rule. */
export interface TypeMismatch {
  /** The position in `PlannedTables.plans`. */
  readonly table: number;
  readonly column: string;
}

const SAMPLED = 100;

/**
 * Finds columns that do not accept the values of their rules. The server checks a hundred values of each rule
 * against types, domains, and conditions whose columns all have rules. For other rules and conditions, it checks
 * masked rows. Must run in a transaction.
 */
export async function findTypeMismatches(
  client: Client,
  { plans, keys, masks }: PlannedTables,
  job: JobKeyMaterial,
): Promise<readonly TypeMismatch[]> {
  const mismatches: TypeMismatch[] = [];
  for (const [table, plan] of plans.entries()) {
    const own = masks.get(table) ?? new Map<string, CellMask>();
    const { types, checks } = keys.tables[table]?.source ?? { types: new Map(), checks: [] };
    const { tried, failed } = valuesOf([...own.values()], producedColumns(plan), types);
    const broken = new Set(failed);
    for (const column of tried) {
      const isNullRefused = column.type.notNull && column.values.includes(null);
      if (isNullRefused || !(await tryValues(client, [column]))) broken.add(column.name);
    }
    for (const check of checks) {
      const read = tried.filter(({ name }) => check.columns.includes(name));
      if (read.length === 0 || read.length < check.columns.length) continue;
      if (read.some(({ name }) => broken.has(name)) || comparesOriginals(check.columns, own.values()))
        continue;
      if (!(await tryValues(client, read, check))) read.forEach(({ name }) => broken.add(name));
    }
    // A rule that does not fit is replaced first, and the table is then tried again.
    if (broken.size === 0)
      for (const name of await tryMaskedRows(client, plan, own, { types, checks }, job)) broken.add(name);
    mismatches.push(...[...broken].map((column) => ({ table, column })));
  }
  return mismatches;
}

function valuesOf(
  masks: readonly CellMask[],
  bindings: readonly string[],
  types: ReadonlyMap<string, TriedColumn['type']>,
): { readonly tried: readonly TriedColumn[]; readonly failed: readonly string[] } {
  try {
    const samples = sampleValues(masks, bindings, SAMPLED);
    const tried = [...samples].flatMap(([name, values]) => {
      const type = types.get(name);
      return type === undefined ? [] : [{ name, type, values }];
    });
    return { tried, failed: [] };
  } catch (error) {
    if (!(error instanceof MaskingError)) throw error;
    return { tried: [], failed: [error.column] };
  }
}
