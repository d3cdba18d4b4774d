export { ByteSink } from './byte-sink.js';
export { putCodePoint } from './put-code-point.js';
