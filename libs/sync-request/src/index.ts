export { AGENT_LABEL, MAX_AGENT_LABELS, MAX_AGENT_SLOTS, MAX_OFFERED_DATABASES } from './agent-limits.js';
export { tableNameCheck } from './check-table-names.js';
export { checkTables } from './check-tables.js';
export { INSTANT_EXPECTED, INSTANT_FORM, parseInstant, startOfUtcDay } from './instant.js';
export { MAX_COLUMNS, MAX_LIMIT, MAX_NAME_LENGTH, MAX_TABLES } from './limits.js';
export { isObject, isString, ObjectReader } from './object-reader.js';
export { isSeed, parseSeed, SEED_EXPECTED } from './seed.js';
export { readSyncRequest, SYNC_REQUEST_FIELDS } from './read-sync-request.js';
export {
  type RequestedSubset,
  type RequestedTable,
  type SyncRequest,
  UNLISTED_COLUMNS,
  type UnlistedColumns,
} from './sync-request.js';
export { MAX_IDENTIFIER_BYTES, readTableName, type TableName, writeTableName } from './table-name.js';
