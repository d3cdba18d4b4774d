export { COPY_END, copyHead, copyRecordWriter } from './copy-record-writer.js';
export { CopyRewriter, HeadTooLongError, type HeadRewrite } from './copy-rewriter.js';
export { isNullField, readTextField } from './read-text-field.js';
export { writeNullField, writeTextField } from './write-text-field.js';
export { NulCharacterError } from '@understudy/records';
