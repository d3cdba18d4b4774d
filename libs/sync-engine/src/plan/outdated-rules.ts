import type { CellMask } from '@understudy/masking';
import type { SyncWarning } from '@understudy/sync-job';
import type { JobMasks } from './compile-masks.js';
import type { ColumnFill, TablePlan } from './table-plan.js';

/**
 * Returns a warning for each listed column whose rule an earlier version accepted, and for which a new job would be
 * refused. Such a rule keeps the values that it had.
 */
export function outdatedRules(plans: readonly TablePlan[], masks: JobMasks): readonly SyncWarning[] {
  return plans.flatMap(({ index: tableIndex, columns, columnIndex: indexes }) =>
    columns.flatMap(({ description: { name }, fill }): SyncWarning[] => {
      const mask = masks.get(tableIndex)?.get(name);
      const columnIndex = indexes.get(name);
      if (columnIndex === undefined || !(hasOutdatedPath(fill) || hasOutdatedPlan(mask))) return [];
      return [{ code: 'rule_outdated', tableIndex, columnIndex }];
    }),
  );
}

function hasOutdatedPath(fill: ColumnFill): boolean {
  if (fill.kind !== 'produce' || fill.rule.kind !== 'json') return false;
  return fill.rule.paths.some(({ isOutdated }) => isOutdated);
}

function hasOutdatedPlan(mask: CellMask | undefined): boolean {
  if (mask === undefined) return false;
  const masks = 'leaves' in mask ? mask.leaves.map((leaf) => leaf.mask) : [mask];
  return masks.some(({ plan }) => plan.isOutdated);
}
