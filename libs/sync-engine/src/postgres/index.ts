// For programs that talk to one database and copy none: without the engine, which takes a second to load.
export type { ConnectionTarget } from '../connection/connection-target.js';
export { isPlaintextRemote, SSL_MODES, sslModeOf, type SslMode } from '../connection/encryption.js';
export { disconnect } from './connect.js';
export { type CopyIn, startCopyIn } from './copy-in.js';
export { type InsertableColumn, type InsertableTable, readInsertableTable } from './insertable-table.js';
export { quoteIdentifier, quoteTable } from './quote.js';
export { DatabaseError, databaseError } from './database-error.js';
export { killSession, openSession, type Session } from './session.js';
export { parseTableName, type TableName } from './table-name.js';
