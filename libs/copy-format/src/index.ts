export { type BinaryHeadRewrite, BinaryRewriter } from './binary-rewriter.js';
export { COPY_END, copyHead, copyRecordWriter } from './copy-record-writer.js';
export { OID } from './oids.js';
export { CopyRewriter, type HeadRewrite, HeadTooLongError } from './copy-rewriter.js';
export { isNullField, readTextField } from './read-text-field.js';
export { type TextOfBinary, textOfBinary } from './text-of-binary.js';
export {
  beginBinaryField,
  endBinaryField,
  writeBinaryField,
  writeBinaryNull,
  writeBinaryText,
} from './write-binary-field.js';
export { writeNullField, writeTextField } from './write-text-field.js';
export { NulCharacterError } from '@understudy/records';
