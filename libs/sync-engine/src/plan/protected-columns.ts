import type { ProducingRule } from '@understudy/column-rule';
import { differsByDefault } from '@understudy/masking';
import type { SyncProblem, SyncWarning } from '@understudy/sync-job';
import { ProblemList } from './problems/problem-list.js';
import type { ColumnPlan, TablePlan } from './table-plan.js';

/**
 * Refuses an explicit `differs: true` on columns that the policy protects. Such a rule compares values that the
 * job's author chose with originals: a row gets a value only if the value is not its original.
 * @throws SyncJobError differs_refused
 */
export function refuseDiffers(plans: readonly TablePlan[]): void {
  const problems = new ProblemList();
  const refused = protectedRules(plans, ({ differs }) => differs === true);
  for (const location of refused) problems.add({ code: 'differs_refused', ...location });
  problems.throwIfAny();
}

/** Returns a warning for each protected column on which `differs` would be on by default. */
export function withoutDiffers(plans: readonly TablePlan[]): readonly SyncWarning[] {
  const found = protectedRules(
    plans,
    (rule, { isText }) => rule.differs === undefined && differsByDefault({ rule, isText }),
  );
  return found.map((location): SyncWarning => ({ code: 'differs_off', ...location }));
}

/** Returns the locations of protected columns that the job lists and whose rules satisfy a condition. */
function protectedRules(
  plans: readonly TablePlan[],
  isMeant: (rule: ProducingRule, column: ColumnPlan['description']) => boolean,
): readonly Pick<SyncProblem, 'tableIndex' | 'columnIndex'>[] {
  return plans.flatMap(({ index, columns, columnIndex }) =>
    columns.flatMap(({ description, fill }) => {
      const listed = columnIndex.get(description.name);
      if (listed === undefined || fill.kind !== 'produce' || fill.isProtected !== true) return [];
      if (fill.rule.kind === 'json' || !isMeant(fill.rule, description)) return [];
      return [{ tableIndex: index, columnIndex: listed }];
    }),
  );
}
