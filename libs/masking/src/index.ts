export type { CellPlan, ColumnMask, MaskedColumn, ProducingRule } from './column-mask.js';
export { compileColumnMask, type HashedModel, type MaskingContext } from './compile-column-mask.js';
export { compositionOfJob } from './private-sources.js';
export { MaskingError, MaskingRuleError } from './masking-errors.js';
export { type JobKeyMaterial, columnKeyOf, rowKeyOf } from './masking-keys.js';
export { type HeadField, MAX_DRAWS, TableMask } from './table-mask.js';
