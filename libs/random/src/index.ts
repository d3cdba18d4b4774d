export { deriveKey, rootKey } from './derive-key.js';
export { keyFromBytes, type Key } from './key.js';
export { math } from './math.js';
export { RandomStream } from './random-stream.js';
export { sipHash128 } from './sip-hash.js';
export { utf8Bytes } from './utf8.js';
export { uuidV4, uuidV7 } from './uuid.js';
export { WeightedPick } from './weighted-pick.js';
