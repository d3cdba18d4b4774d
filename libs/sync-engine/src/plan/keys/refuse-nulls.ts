import { SyncJobError } from '@understudy/sync-job';
import type { TablePlan } from '../table-plan.js';
import type { JobKeys } from './job-keys.js';
import { uniqueKeysOf } from './finalize-unique.js';

/**
 * `nullable` needs a column that takes NULLs, and more than one of them where a unique key counts them.
 * @throws SyncJobError rule_misfit
 */
export function refuseNulls(plans: readonly TablePlan[], { tables }: JobKeys): void {
  for (const [i, plan] of plans.entries()) {
    const keys = tables[i];
    if (keys === undefined) continue;
    const counted = uniqueKeysOf(plan, keys).filter(({ nullsNotDistinct }) => nullsNotDistinct);
    for (const { description, fill } of plan.columns) {
      if (fill.kind !== 'produce' || fill.rule.kind === 'json' || (fill.rule.nullable ?? 0) === 0) continue;
      const { name } = description;
      const isRefused =
        keys.written.types.get(name)?.notNull === true ||
        counted.some(({ columns }) => columns.includes(name));
      if (!isRefused) continue;
      const columnIndex = plan.columnIndex.get(name);
      const place = columnIndex === undefined ? {} : { columnIndex };
      throw new SyncJobError(
        { code: 'rule_misfit', tableIndex: plan.index, ...place },
        { cause: new Error(`nullable, but column ${name} takes no NULLs`) },
      );
    }
  }
}
