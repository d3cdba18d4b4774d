export type { Canonical } from './values/canonical-value.js';
export {
  masksWithin,
  needsOriginal,
  needsRowOrder,
  uniqueScopes,
  type CellMask,
} from './compile/cell-mask.js';
export type { CellPlan, ColumnMask, MaskedColumn } from './compile/column-mask.js';
export {
  compileColumnMask,
  type HashedModel,
  type MaskingContext,
  isPrivateModel,
  consistentId,
  differsByDefault,
} from './compile/compile-column-mask.js';
export { columnsWithModelText, insertOnly } from './compile/model-text.js';
export { orderByReferences } from './compile/order-by-references.js';
export { MaskingError, MaskingRuleError } from './compile/masking-errors.js';
export {
  type JobKeyMaterial,
  columnKeyOf,
  consistentKeyOf,
  originalKeyOf,
  rowKeyOf,
} from './compile/masking-keys.js';
export { MAX_ATTEMPTS } from './values/generate-value.js';
export { MAX_FINGERPRINTS } from './unique/fingerprint-table.js';
export type {
  OriginalAttempts,
  OriginalClasses,
  UniqueColumn,
  UniqueRows,
  UniqueScope,
} from './unique/unique-rows.js';
export { foldOfLocale, type Fold } from './values/fold-text.js';
export { OriginalClassesBuilder } from './unique/original-classes.js';
export { OriginalAttemptsBuilder, TooManyOriginalsError } from './unique/original-attempts.js';
export { cannotRepeat, keepUnique, permuteOriginals, type UniqueKeyPart } from './unique/keep-unique.js';
export {
  compileJsonMask,
  type FindJsonPaths,
  type JsonColumn,
  type JsonMask,
  JsonTextError,
} from './rows/json-mask.js';
export { type DiffersRequest, resolveDiffers } from './compile/resolve-differs.js';
export { sampleValues } from './compile/sample-values.js';
export { type HeadField } from './rows/table-mask.js';
export { TextTableMask } from './rows/text-table-mask.js';
export { type BinaryHeadField, BinaryTableMask, isBinaryMask } from './rows/binary-table-mask.js';
