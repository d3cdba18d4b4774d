import { quoteTable } from '@understudy/postgres';
import type { LocatedClient } from '../../session/located-client.js';
import type { ColumnFill, TablePlan } from '../../plan/table-plan.js';
import { COMPUTED_COLUMNS, JOINED_KEYS } from './joined-keys.sql.js';

/** A foreign key between two tables of a job, with at least one column whose values the job replaces. */
export interface JoinedKey {
  readonly child: TablePlan;
  readonly parent: TablePlan;
  /** The columns, in the order of the key. */
  readonly pairs: readonly { readonly child: string; readonly parent: string }[];
}

/**
 * Reads the foreign keys that both databases have now between the tables of a job, and selects those whose joins must be
 * the same after masking. Omits a key if
 * - all its columns are preserved,
 * - one of its columns becomes NULL or is computed from one that does, so nothing is referenced any more, or
 * - a reference has a rule of its own while the referenced key is preserved, so the rule chooses new references.
 * @param known keys to omit
 */
export async function readJoinedKeys(
  plans: readonly TablePlan[],
  source: LocatedClient,
  target: LocatedClient,
  known: readonly JoinedKey[] = [],
): Promise<readonly JoinedKey[]> {
  const keys = [...(await keysBetween(source, plans)), ...(await keysBetween(target, plans))];
  const distinct = new Map(keys.map((key) => [idOf(key), key]));
  for (const key of known) distinct.delete(idOf(key));
  const fillOf = await readFills(plans, source);
  return [...distinct.values()].filter((key) => isCompared(key, fillOf));
}

async function keysBetween(
  client: LocatedClient,
  plans: readonly TablePlan[],
): Promise<readonly JoinedKey[]> {
  const { rows } = await client.query<{
    child: number;
    parent: number;
    childColumns: string[];
    parentColumns: string[];
  }>(JOINED_KEYS, [plans.map(({ name }) => quoteTable(name)), plans.map(canChange)]);
  return rows.flatMap(({ childColumns, parentColumns, ...key }) => {
    const [child, parent] = [plans[key.child - 1], plans[key.parent - 1]];
    if (child === undefined || parent === undefined) return [];
    const pairs = childColumns.map((column, i) => ({ child: column, parent: parentColumns[i] ?? '' }));
    return [{ child, parent, pairs }];
  });
}

/** Returns whether the job or the target computes values of the table. */
function canChange({ columns, source, target }: TablePlan): boolean {
  const described = [...source.columns, ...(target?.columns ?? [])];
  return columns.some(({ fill }) => fill.kind !== 'preserve') || described.some((one) => one.isGenerated);
}

function idOf({ child, parent, pairs }: JoinedKey): string {
  const columns = pairs.map((pair) => [pair.child, pair.parent]);
  return JSON.stringify([child.index, parent.index, columns.toSorted()]);
}

/** How a column gets its values. A generated column is `null` or `kept` if it reads a NULL or only preserved columns. */
type Fill = ColumnFill['kind'] | 'kept' | 'computed';
type FillOf = (plan: TablePlan, column: string) => Fill | undefined;

function isCompared({ child, parent, pairs }: JoinedKey, fillOf: FillOf): boolean {
  const fills = pairs.map((pair) => ({
    of: [fillOf(child, pair.child), fillOf(parent, pair.parent)],
    // Otherwise, the column has the rule of another key.
    hasOwnRule: child.columnIndex.has(pair.child),
  }));
  const isOmitted = fills.some(
    ({ of: [from, to], hasOwnRule }) =>
      [from, to].includes('null') ||
      (hasOwnRule && from === 'produce' && (to === 'preserve' || to === 'kept')),
  );
  return !isOmitted && fills.some(({ of }) => of.some((fill) => fill !== 'preserve'));
}

async function readFills(plans: readonly TablePlan[], source: LocatedClient): Promise<FillOf> {
  const fills = new Map(
    plans.map((plan) => [
      plan,
      new Map<string, Fill>(plan.columns.map((one) => [one.description.name, one.fill.kind])),
    ]),
  );
  const { rows } = await source.query<{ position: number; column: string; reads: string[] }>(
    COMPUTED_COLUMNS,
    [plans.map(({ name }) => quoteTable(name))],
  );
  for (const { position, column, reads } of rows) {
    const own = fills.get(plans[position - 1] as TablePlan);
    const read = reads.map((one) => own?.get(one));
    const isKept = read.every((fill) => fill === 'preserve');
    // The target computes the columns that the job does not write.
    if (own?.has(column) === false)
      own.set(column, read.includes('null') ? 'null' : isKept ? 'kept' : 'computed');
  }
  return (plan, column) => fills.get(plan)?.get(column);
}
