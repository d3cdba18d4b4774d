export type { Canonical } from './canonical-value.js';
export { masksWithin, needsOriginal, needsRowOrder, uniqueScopes, type CellMask } from './cell-mask.js';
export type { CellPlan, ColumnMask, MaskedColumn } from './column-mask.js';
export { compileColumnMask, type HashedModel, type MaskingContext } from './compile-column-mask.js';
export { isPrivateModel } from './private-sources.js';
export { orderByReferences } from './order-by-references.js';
export { MaskingError, MaskingRuleError } from './masking-errors.js';
export {
  type JobKeyMaterial,
  columnKeyOf,
  consistentKeyOf,
  originalKeyOf,
  rowKeyOf,
} from './masking-keys.js';
export { MAX_DRAWS } from './draw-value.js';
export { MAX_FINGERPRINTS } from './fingerprint-table.js';
export type { OriginalDraws } from './original-draws.js';
export { OriginalDrawsBuilder, TooManyOriginalsError } from './original-draws-builder.js';
export { cannotRepeat, keepUnique, permuteOriginals, type UniqueKeyPart } from './keep-unique.js';
export type { UniqueColumn, UniqueRows, UniqueScope } from './unique-rows.js';
export {
  compileJsonMask,
  type FindJsonPlaces,
  type JsonColumn,
  type JsonMask,
  JsonTextError,
} from './json-mask.js';
export { type DiffersRequest, settleDiffers } from './settle-differs.js';
export { sampleValues } from './sample-values.js';
export { type HeadField } from './table-mask.js';
export { TextTableMask } from './text-table-mask.js';
export { type BinaryHeadField, BinaryTableMask, isBinaryMask } from './binary-table-mask.js';
