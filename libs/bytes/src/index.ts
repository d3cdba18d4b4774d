export { ByteSink } from './byte-sink.js';
export { decodeUtf8 } from './decode-utf8.js';
export { putCodePoint } from './put-code-point.js';
export { textFromUnits } from './text-from-units.js';
