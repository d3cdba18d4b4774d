export { ConnectionWatch, explainUnreachable } from './connection-watch.js';
export { findConnectionFault, type ProbeOptions } from './find-connection-fault.js';
export type { ConnectionCause, ConnectionFault } from './network-fault.js';
