import type { ProducingRule } from '@understudy/column-rule';
import { consistentId, differsByDefault } from '@understudy/masking';
import type { SyncProblem, SyncWarning } from '@understudy/sync-job';
import { ProblemList } from './problems/problem-list.js';
import type { ColumnPlan, TablePlan } from './table-plan.js';

/**
 * Marks the columns that share their new values with a protected column, because both have the same rule with
 * `consistent`. With `differs` on such a column, a new value would be compared with the originals of both.
 */
export function markSharing(plans: readonly TablePlan[]): readonly TablePlan[] {
  const idOf = ({ fill }: ColumnPlan) =>
    fill.kind === 'produce' && fill.rule.kind !== 'json' ? consistentId(fill.rule) : undefined;
  const ids = new Set(
    plans.flatMap(({ columns }) =>
      columns.filter(({ fill }) => fill.kind === 'produce' && fill.isProtected === true).map(idOf),
    ),
  );
  ids.delete(undefined);
  if (ids.size === 0) return plans;
  const mark = (column: ColumnPlan): ColumnPlan =>
    column.fill.kind === 'produce' && ids.has(idOf(column))
      ? { ...column, fill: { ...column.fill, sharesProtected: true } }
      : column;
  return plans.map((plan) => ({ ...plan, columns: plan.columns.map(mark) }));
}

/**
 * Refuses an explicit `differs: true` on columns that the policy protects, or that share their values with one.
 * Such a rule compares values that the job's author chose with originals: a row gets a value only if the value is not
 * its original.
 * @throws SyncJobError differs_refused
 */
export function refuseDiffers(plans: readonly TablePlan[]): void {
  const problems = new ProblemList();
  const refused = protectedRules(plans, ({ differs }) => differs === true);
  for (const location of refused) problems.add({ code: 'differs_refused', ...location });
  problems.throwIfAny();
}

/** Returns a warning for each such column on which `differs` would be on by default. */
export function withoutDiffers(plans: readonly TablePlan[]): readonly SyncWarning[] {
  const found = protectedRules(
    plans,
    (rule, { isText }) => rule.differs === undefined && differsByDefault({ rule, isText }),
  );
  return found.map((location): SyncWarning => ({ code: 'differs_off', ...location }));
}

/** Returns the locations of such columns that the job lists and whose rules satisfy a condition. */
function protectedRules(
  plans: readonly TablePlan[],
  isMeant: (rule: ProducingRule, column: ColumnPlan['description']) => boolean,
): readonly Pick<SyncProblem, 'tableIndex' | 'columnIndex'>[] {
  return plans.flatMap(({ index, columns, columnIndex }) =>
    columns.flatMap(({ description, fill }) => {
      const listed = columnIndex.get(description.name);
      if (listed === undefined || fill.kind !== 'produce') return [];
      if (fill.isProtected !== true && fill.sharesProtected !== true) return [];
      if (fill.rule.kind === 'json' || !isMeant(fill.rule, description)) return [];
      return [{ tableIndex: index, columnIndex: listed }];
    }),
  );
}
