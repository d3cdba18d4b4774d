export { ConnectionWatch, explainUnreachable } from './connection-watch.js';
export { findConnectionFault } from './find-connection-fault.js';
export { networkFault } from './network-fault.js';
