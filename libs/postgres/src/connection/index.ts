/**
 * Sessions without the catalogs, copies and dumps of the package. A process that only holds a session starts much
 * faster with this entry than with the whole package, which exports the same names.
 */
export { quoteIdentifier, quoteLiteral, quoteTable } from '../catalog/quote.js';
export { connect, disconnect, restoreSettings } from './connect.js';
export type { ConnectionTarget } from './connection-url.js';
export { blockingSessions, cancelLockWait, type SessionState, observeSession } from './observe-session.js';
export {
  type Client,
  type Session,
  killSession,
  killSessions,
  openSession,
  isUnreachable,
  retryUnreachable,
} from './session.js';
export { DatabaseError, databaseError } from '../errors/database-error.js';
export { queryWithErrors, sideOfError, sqlstateOf } from '../errors/error-side.js';
