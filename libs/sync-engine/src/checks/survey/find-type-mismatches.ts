import type { CellMask, JobKeyMaterial } from '@understudy/masking';
import type { Client } from '@understudy/postgres';
import { producedColumns } from '../../plan/compile-masks.js';
import { comparesOriginals, tryValues } from '../../plan/values/try-values.js';
import { RuleSamples } from './rule-samples.js';
import { tryMaskedRows } from './try-masked-rows.js';
import type { PlannedTables } from './plan-survey.js';

/** A column that does not accept the values of its rule. */
export interface TypeMismatch {
  /** The position in `PlannedTables.plans`. */
  readonly table: number;
  readonly column: string;
}

/**
 * Finds columns that do not accept the values of their rules. The server checks a hundred values of each rule
 * against types, and many more against domains, and conditions whose columns all have rules. For other rules and
 * conditions, it checks masked rows. Must run in a transaction.
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
    const samples = new RuleSamples([...own.values()], producedColumns(plan), types);
    const tried = samples.few();
    const { broken } = samples;
    for (const column of tried) {
      const isNullRefused = column.type.notNull && column.values.includes(null);
      const all = column.type.isDomain ? samples.many([column]) : [column];
      if (isNullRefused || !(await tryValues(client, all))) broken.add(column.name);
    }
    for (const check of checks) {
      const read = tried.filter(({ name }) => check.columns.includes(name));
      if (read.length === 0 || read.length < check.columns.length) continue;
      if (read.some(({ name }) => broken.has(name)) || comparesOriginals(check.columns, own.values()))
        continue;
      if (!(await tryValues(client, samples.many(read), check))) read.forEach(({ name }) => broken.add(name));
    }
    // A rule that does not fit is replaced first, and the table is then tried again.
    if (broken.size === 0)
      for (const name of await tryMaskedRows(client, plan, own, { types, checks }, job)) broken.add(name);
    mismatches.push(...[...broken].map((column) => ({ table, column })));
  }
  return mismatches;
}
