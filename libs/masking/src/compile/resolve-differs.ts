import { tooFewToDiffer } from '@understudy/column-rule';
import type { CountedPlan } from '@understudy/generator';
import { masksWithin, type CellMask } from './cell-mask.js';
import type { ColumnMask } from './column-mask.js';
import { textOf } from '../values/generate-value.js';
import { MaskingRuleError } from './masking-errors.js';

export interface DiffersRequest {
  /** All compiled masks of the table, by column. */
  readonly masks: ReadonlyMap<string, CellMask>;
  /** Names of the masked columns, in the order that the masks were compiled with. */
  readonly bindings: readonly string[];
  /** True if the policy protects the column's original values. */
  readonly isProtected: boolean;
}

/**
 * Switches `differs` off on a protected column, so that no result depends on a comparison of a new value with
 * the original. On other columns, checks that a rule with `differs` has enough distinct values. If it has too
 * few, an explicit `differs: true` is an error, and a `differs` that is true by default is switched off.
 * @throws MaskingRuleError too_few_values
 */
export function resolveDiffers(mask: CellMask, request: DiffersRequest): CellMask {
  if (!masksWithin(mask).some(({ differs }) => differs)) return mask;
  if (!('leaves' in mask)) return resolve(mask, request);
  const leaves = mask.leaves.map((leaf) => ({ ...leaf, mask: resolve(leaf.mask, request) }));
  return leaves.every((leaf, i) => leaf.mask === mask.leaves[i]?.mask) ? mask : { ...mask, leaves };
}

function resolve(mask: ColumnMask, { masks, bindings, isProtected }: DiffersRequest): ColumnMask {
  if (!mask.differs) return mask;
  if (isProtected) return { ...mask, differs: false };
  const columns = new Map<string, CountedPlan>();
  for (const [name, other] of masks) if (!('leaves' in other)) columns.set(name, counted(other));
  const problem = tooFewToDiffer({ plan: counted(mask), columns, bindings });
  if (problem === undefined) return mask;
  const { rule, name, path } = mask.column;
  if (rule.differs !== true) return { ...mask, differs: false };
  throw new MaskingRuleError('too_few_values', name, [{ path: `${path}.differs`, message: problem }]);
}

function counted(mask: ColumnMask): CountedPlan {
  const { plan, references } = mask;
  const { variety } = plan;
  return {
    value: plan.value.bind(plan),
    references,
    ...(variety && { variety }),
    textOf: (value) => textOf(mask, value),
  };
}
