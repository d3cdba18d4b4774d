import type { CellMask } from '@understudy/masking';
import type { OrphanMode, SyncWarning } from '@understudy/sync-job';
import { type JobMasks, producedColumns } from './compile-masks.js';
import type { LocatedClient } from '../session/located-client.js';
import type { FailureContexts } from '../session/failure-contexts.js';
import { readJobKeys, type JobKeys } from './keys/job-keys.js';
import { OriginalsReader } from './keys/read-originals.js';
import { refuseNulls } from './keys/refuse-nulls.js';
import { finalizeMasks } from './keys/finalize-masks.js';
import { propagateKeyRules } from './keys/propagate-key-rules.js';
import { outdatedRules } from './outdated-rules.js';
import { markSharing, refuseDiffers, withoutDiffers } from './protected-columns.js';
import type { TablePlan } from './table-plan.js';
import { checkValues } from './values/check-values.js';

/** Connections to the databases of a job, for planning and finalizing its rules. */
export interface RuleDatabases {
  /** A client in the transaction of the snapshot. */
  readonly source: LocatedClient;
  /** A client that is not in a transaction. */
  readonly target: LocatedClient;
  readonly contexts: FailureContexts;
}

/** The finalized masks of a job, with warnings. */
export interface FinalRules {
  readonly masks: JobMasks;
  readonly warnings: readonly SyncWarning[];
}

export interface PlannedRules {
  readonly plans: readonly TablePlan[];
  readonly keys: JobKeys;
}

/**
 * Propagates the rules of masked keys to the columns that reference them. Reads catalogs only.
 * @param orphans if `not_valid`, any reference may lead to a missing row
 * @throws SyncJobError key_rules_contradict, key_referenced_elsewhere, key_equality_unsupported, nullable_refused,
 * rule_misfit, a code of `MaskingRuleError`, differs_refused
 */
export async function planRules(
  plans: readonly TablePlan[],
  { source, target, contexts }: RuleDatabases,
  orphans: OrphanMode = 'fail',
): Promise<PlannedRules> {
  if (!plans.some(hasRules)) return { plans, keys: { tables: [], references: [], sharedWithOutside: [] } };
  const keys = await readJobKeys(plans, { source, target }, orphans !== 'not_valid');
  refuseNulls(plans, keys);
  const propagated = markSharing(propagateKeyRules(plans, keys));
  refuseDiffers(propagated);
  contexts.knowRules(new Map(propagated.map((plan) => [plan.index, new Set(producedColumns(plan))])));
  return { plans: propagated, keys };
}

/**
 * Finalizes compiled rules before any row is copied. Refuses a rule if the column does not accept the rule's
 * values, or if the column is unique and has more rows than the rule has values. Changes neither database.
 * @throws SyncJobError rule_misfit, rule_depends_on_row, unique_capacity, key_too_large, key_equality_unsupported,
 * generation_failed
 */
export async function finalizeRules(
  { plans, keys }: PlannedRules,
  masks: JobMasks,
  { source, target }: Pick<RuleDatabases, 'source' | 'target'>,
): Promise<FinalRules> {
  if (!plans.some(hasRules)) return { masks, warnings: [] };
  const byPlan = plans.map(({ index }) => masks.get(index) ?? new Map<string, CellMask>());
  await target.query('BEGIN READ ONLY');
  await checkValues({ plans, masks: byPlan, keys, source, target });
  await target.query('ROLLBACK');
  const reader = new OriginalsReader(source, plans, keys.tables);
  const finalized = await finalizeMasks({ plans, masks: byPlan, keys, reader });
  return {
    masks: new Map(
      plans.map(({ index }, position) => [index, finalized.masks[position] ?? new Map<string, CellMask>()]),
    ),
    warnings: [...withoutDiffers(plans), ...outdatedRules(plans, masks), ...finalized.warnings],
  };
}

function hasRules({ columns }: TablePlan): boolean {
  return columns.some(({ fill }) => fill.kind === 'produce');
}
