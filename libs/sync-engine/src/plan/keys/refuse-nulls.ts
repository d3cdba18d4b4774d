import { columnFailure } from '../problems/column-failure.js';
import type { TablePlan } from '../table-plan.js';
import type { JobKeys } from './job-keys.js';
import { uniqueKeysOf } from './finalize-unique.js';

/**
 * Refuses `nullable` rules for NOT NULL columns, and for columns of a unique key with NULLS NOT DISTINCT.
 * @throws SyncJobError nullable_refused
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
      const cause = new Error(`the rule is nullable, but column ${name} does not accept NULL`);
      throw columnFailure(plan, name, 'nullable_refused', cause);
    }
  }
}
