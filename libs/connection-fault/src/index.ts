export type { TlsFacts } from './certificate.js';
export { ConnectionWatch, explainUnreachable } from './connection-watch.js';
export { NatsLinkWatch, type NatsLinkReports } from './nats-link-watch.js';
export { type ConnectionCause, type ConnectionFault, networkFault, silentFault } from './network-fault.js';
export { findConnectionFault, type ProbeOptions, probeServer, type ServerProbe } from './probe-server.js';
