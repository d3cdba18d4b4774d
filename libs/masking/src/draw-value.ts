import type { ColumnMask } from './column-mask.js';
import { MaskingError } from './masking-errors.js';

/** Draws of one cell before giving up on a value that is not the old one. */
export const MAX_DRAWS = 200;

/** @param stream two words: the row's hash, or the original value's @throws MaskingError generation_failed */
export function drawValue(
  { plan, key, column }: ColumnMask,
  stream: Int32Array,
  attempt: number,
  bindings: readonly unknown[],
): unknown {
  try {
    return plan.value(key, stream[0] as number, stream[1] as number, attempt, bindings);
  } catch (error) {
    throw new MaskingError('generation_failed', column.name, 'the rule failed on a row', { cause: error });
  }
}
