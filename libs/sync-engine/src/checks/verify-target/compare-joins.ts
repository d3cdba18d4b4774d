import { copiedRows } from '../../plan/subset/relation-sql.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { JoinComparison, newRowsInPlace } from '../../verify/joins/join-comparison.js';
import { readJoinedKeys } from '../../verify/joins/joined-keys.js';
import type { RowsByTable } from './recompute/recompute-columns.js';
import type { TargetCheck } from './target-check.js';
import {
  asTargetCheck,
  type ComparedDatabases,
  type TargetVerificationContext,
} from './target-verification.js';

/**
 * Compares which children the parents of foreign keys have on both sides. If a source table of a differing key no longer
 * has as many rows as were copied, the outcome is `not_comparable`.
 */
export async function compareJoins(
  plans: readonly TablePlan[],
  rows: RowsByTable,
  { source, target }: Pick<ComparedDatabases, 'source' | 'target'>,
  { environment: { log } }: TargetVerificationContext,
): Promise<readonly TargetCheck[]> {
  const keys = await readJoinedKeys(plans, source.client, target.client);
  const newRows = newRowsInPlace;
  const request = { keys, newRows, sourceRows: copiedRows, log };
  const joins = await JoinComparison.plan(request, source.client, target.client);
  await joins.readBoth(source.client, target.client);
  const hasMoved = ({ index }: TablePlan) => {
    const { copied, source: now } = rows.get(index) ?? {};
    return copied !== undefined && copied !== now;
  };
  const differing = joins.differing();
  return joins.checks().map((check) => {
    const own = differing.filter(({ child }) => child.index === check.tableIndex);
    const isPointless =
      own.length > 0 && own.every(({ child, parent }) => hasMoved(child) || hasMoved(parent));
    return isPointless ? { ...asTargetCheck(check), outcome: 'not_comparable' } : asTargetCheck(check);
  });
}
