import type { Client } from '@understudy/postgres';
import type { DatabaseSide } from '@understudy/sync-job';
import { guard, type FailureContext } from '../session/guard.js';
import { readComputed } from '../plan/computed-columns.js';
import type { ColumnFill, TablePlan } from '../plan/table-plan.js';
import { KEYS_BETWEEN } from './joined-keys.sql.js';

/** A foreign key between two tables of a job, with at least one column whose values the job replaces. */
export interface JoinedKey {
  readonly child: TablePlan;
  readonly parent: TablePlan;
  /** The columns, in the order of the key. */
  readonly pairs: readonly { readonly child: string; readonly parent: string }[];
}

/**
 * Reads the foreign keys of both databases between the tables of a job, and selects those whose joins must be the same
 * after masking. Omits a key if
 * - all its columns are preserved,
 * - one of its columns becomes NULL or is computed from one that does, so nothing is referenced any more, or
 * - a reference has a rule of its own while the referenced key is preserved, so the rule chooses new references.
 */
export async function readJoinedKeys(
  plans: readonly TablePlan[],
  source: Client,
  target: Client,
  contextOf: (side: DatabaseSide) => FailureContext,
): Promise<readonly JoinedKey[]> {
  const existing = plans.filter((plan) => plan.target !== undefined);
  const keys = [
    ...(await guard(contextOf('source'), () =>
      keysBetween(
        source,
        plans,
        plans.map((plan) => plan.source.oid),
      ),
    )),
    ...(await guard(contextOf('target'), () =>
      keysBetween(
        target,
        existing,
        existing.map((plan) => plan.target?.oid ?? ''),
      ),
    )),
  ];
  const distinct = new Map(keys.map((key) => [idOf(key), key]));
  const fillOf = await readFills(plans, source, contextOf);
  return [...distinct.values()].filter((key) => isCompared(key, fillOf));
}

async function keysBetween(
  client: Client,
  plans: readonly TablePlan[],
  oids: readonly string[],
): Promise<readonly JoinedKey[]> {
  const { rows } = await client.query<{
    child: number;
    parent: number;
    child_columns: string[];
    parent_columns: string[];
  }>(KEYS_BETWEEN, [oids]);
  return rows.flatMap((row) => {
    const [child, parent] = [plans[row.child - 1], plans[row.parent - 1]];
    if (child === undefined || parent === undefined) return [];
    const pairs = row.child_columns.map((column, i) => ({
      child: column,
      parent: row.parent_columns[i] ?? '',
    }));
    return [{ child, parent, pairs }];
  });
}

function idOf({ child, parent, pairs }: JoinedKey): string {
  const columns = pairs.map((pair) => [pair.child, pair.parent]);
  return JSON.stringify([child.index, parent.index, columns.toSorted()]);
}

type FillOf = (plan: TablePlan, column: string) => ColumnFill['kind'] | undefined;

function isCompared({ child, parent, pairs }: JoinedKey, fillOf: FillOf): boolean {
  const fills = pairs.map((pair) => [fillOf(child, pair.child), fillOf(parent, pair.parent)] as const);
  const isOmitted = fills.some(
    (pair) => pair.includes('null') || (pair[0] === 'produce' && pair[1] === 'preserve'),
  );
  return !isOmitted && fills.some((pair) => pair.some((fill) => fill !== 'preserve'));
}

/** Returns a function for the fill of a column: `null` if a generated column reads such a column, otherwise undefined. */
async function readFills(
  plans: readonly TablePlan[],
  source: Client,
  contextOf: (side: DatabaseSide) => FailureContext,
): Promise<FillOf> {
  const nulled = new Map<TablePlan, ReadonlySet<string>>();
  for (const plan of plans) {
    const readBy = await guard(contextOf('source'), () => readComputed(source, plan.source));
    const names = new Set(
      plan.columns.flatMap(({ description, fill }) => (fill.kind === 'null' ? description.name : [])),
    );
    const computed = plan.source.columns.filter((column) =>
      readBy(column).some(({ name }) => names.has(name)),
    );
    nulled.set(plan, new Set(computed.map(({ name }) => name)));
  }
  return (plan, column) => {
    const own = plan.columns.find(({ description }) => description.name === column)?.fill.kind;
    return own ?? (nulled.get(plan)?.has(column) === true ? 'null' : undefined);
  };
}
