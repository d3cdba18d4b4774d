import type { CellMask, JobKeyMaterial } from '@understudy/masking';
import { type Check, type Client, quoteIdentifier, type UniqueKey } from '@understudy/postgres';
import { producedColumns } from '../../plan/compile-masks.js';
import { areKeysDifferent, comparesOriginals, tryValues } from '../../plan/values/try-values.js';
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
 * against types, and many more against domains, and conditions whose columns all have rules. Different values must also
 * give different keys. For other rules and conditions, it checks masked rows. Must run in a transaction.
 */
export async function findTypeMismatches(
  client: Client,
  { plans, keys, masks }: PlannedTables,
  job: JobKeyMaterial,
): Promise<readonly TypeMismatch[]> {
  const mismatches: TypeMismatch[] = [];
  for (const [table, plan] of plans.entries()) {
    const own = masks.get(table) ?? new Map<string, CellMask>();
    const { types, checks, unique } = keys.tables[table]?.source ?? {
      types: new Map(),
      checks: [],
      unique: [],
    };
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
      const rows = samples.many(read);
      const key = keyOf(check, unique);
      const fits =
        (await tryValues(client, rows, check)) &&
        (key === undefined || (await areKeysDifferent(client, rows, key, check.computed)));
      if (!fits) read.forEach(({ name }) => broken.add(name));
    }
    // A rule that does not fit is replaced first, and the table is then tried again.
    if (broken.size === 0)
      for (const name of await tryMaskedRows(client, plan, own, { types, checks }, job)) broken.add(name);
    mismatches.push(...[...broken].map((column) => ({ table, column })));
  }
  return mismatches;
}

/** Returns the unique key that the server computes for a condition: an index expression or a generated column. */
function keyOf({ key, computes }: Check, unique: readonly UniqueKey[]): string | undefined {
  const isUnique = unique.some(({ columns }) => columns.length === 1 && columns[0] === computes);
  return computes !== undefined && isUnique ? quoteIdentifier(computes) : key;
}
