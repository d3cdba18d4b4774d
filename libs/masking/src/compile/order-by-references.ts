import type { CellMask } from './cell-mask.js';
import { MaskingRuleError } from './masking-errors.js';

/**
 * Orders the columns so that each column comes after those that `readsOf` lists for it. An order that already
 * meets this condition does not change.
 * @throws MaskingRuleError for a cycle
 */
export function orderByReferences(masks: readonly CellMask[]): readonly CellMask[] {
  const byName = new Map(masks.map((mask) => [mask.column.name, mask]));
  const ordered = new Set<CellMask>();
  const open = new Set<CellMask>();
  for (const mask of masks) visit(mask);
  return [...ordered];

  function visit(mask: CellMask): void {
    if (ordered.has(mask)) return;
    if (open.has(mask)) {
      const { name, path } = mask.column;
      throw new MaskingRuleError('rules_in_cycle', name, [
        { path, message: 'columns refer to each other in a cycle' },
      ]);
    }
    open.add(mask);
    for (const reference of readsOf(mask)) {
      const read = byName.get(reference);
      if (read !== undefined) visit(read);
    }
    open.delete(mask);
    ordered.add(mask);
  }
}

/**
 * Lists the columns that must be produced before the mask's column. A column that makes a composite key
 * unique comes after the key's other columns.
 */
function readsOf(mask: CellMask): readonly string[] {
  if ('leaves' in mask || mask.unique === undefined) return mask.references;
  return [...mask.references, ...mask.unique.scopes.flatMap(({ others }) => others.map(({ name }) => name))];
}
