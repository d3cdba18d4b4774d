export { CopyRewriter, HeadTooLongError, type HeadRewrite } from './copy-rewriter.js';
export { isNullField, readTextField } from './read-text-field.js';
export { NulCharacterError, writeNullField, writeTextField } from './write-text-field.js';
