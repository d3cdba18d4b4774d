import { masksWithin, type CellMask } from './cell-mask.js';
import type { ColumnMask } from './column-mask.js';
import { MaskingRuleError } from './masking-errors.js';

export interface InsertOnlyRequest {
  /** See {@link columnsWithModelText}. */
  readonly modelColumns: ReadonlySet<string>;
  /** True if the policy protects the column, so that `resolveDiffers` switches `differs` off. */
  readonly isProtected: boolean;
}

/**
 * Finds the columns of a table whose values contain text of a private model, also by way of other columns.
 * @param masks all compiled masks of the table
 */
export function columnsWithModelText(masks: Iterable<CellMask>): ReadonlySet<string> {
  const all = [...masks];
  const found = new Set<string>();
  let known = -1;
  while (found.size > known) {
    known = found.size;
    for (const mask of all)
      if (masksWithin(mask).some((one) => hasModelText(one, found))) found.add(mask.column.name);
  }
  return found;
}

/**
 * Refuses a mask that does more with the text of a private model than insert it into a text. A private model
 * never returns an original, so the result could show whether a text that the job's author chose is an
 * original. Depends only on the rules, never on values.
 * @returns the mask, with `modelText` if its values contain such text
 * @throws MaskingRuleError model_text_refused
 */
export function insertOnly(mask: CellMask, request: InsertOnlyRequest): CellMask {
  if (!('leaves' in mask)) return checked(mask, request);
  return { ...mask, leaves: mask.leaves.map((leaf) => ({ ...leaf, mask: checked(leaf.mask, request) })) };
}

function checked(mask: ColumnMask, { modelColumns, isProtected }: InsertOnlyRequest): ColumnMask {
  const { inspected } = mask;
  if (inspected.bindings.some((name) => modelColumns.has(name))) throw refused(mask, 'the rule inspects it');
  if (!hasModelText(mask, modelColumns)) return mask;
  if (inspected.ownValues) throw refused(mask, 'the rule inspects it');
  if (!mask.column.isText) throw refused(mask, "the column's type accepts only some texts");
  const reads = readsModelText(mask, modelColumns);
  // A retry does not change the text of another column, so the job would fail if the text is the row's original.
  // An explicit `differs` also fails if the rule has too few values, and chosen texts can be among these.
  if (mask.differs && !isProtected && (reads || mask.column.rule.differs === true))
    throw refused(mask, 'differs compares it');
  return { ...mask, modelText: reads ? 'read' : 'made' };
}

function hasModelText(mask: ColumnMask, modelColumns: ReadonlySet<string>): boolean {
  return mask.usesPrivateModel || readsModelText(mask, modelColumns);
}

function readsModelText({ references }: ColumnMask, modelColumns: ReadonlySet<string>): boolean {
  return references.some((name) => modelColumns.has(name));
}

function refused({ column: { name, path } }: ColumnMask, why: string): MaskingRuleError {
  const message = `the text of a private model must only be inserted into a text: ${why}`;
  return new MaskingRuleError('model_text_refused', name, [{ path, message }]);
}
