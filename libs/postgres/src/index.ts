export {
  DEPENDENTS_OF_TABLES,
  MATERIALIZED_VIEWS,
  TABLES_AROUND,
  USES_OF_VIEWS,
} from './catalog/statements/dependent-views.sql.js';
export { NAMES_WITHOUT_TABLE, SCHEMA_OBJECTS, UNLISTED_TABLES } from './catalog/statements/left-out.sql.js';
export { partitionTree, relationsOf } from './catalog/statements/partition-tree.sql.js';
export { withoutCasts } from './catalog/statements/expression-text.sql.js';
export { PUBLICATION_CONFLICTS } from './catalog/statements/publication-conflicts.sql.js';
export {
  type ComparedColumn,
  type TypeDefinition,
  type TypeUse,
  columnsWithNulls,
  findTypeDefinitions,
  readComparedColumns,
  readTypeDefinitions,
} from './catalog/compared-columns.js';
export {
  type ColumnDescription,
  type TableDescription,
  describeTable,
  describeTables,
  otherRelations,
} from './catalog/describe-table.js';
export { EvaluationPaths, OWN_PATH } from './catalog/evaluation-paths.js';
export {
  findObjects,
  type ObjectAddress,
  untrustedObjects,
  type UntrustedObject,
} from './catalog/find-objects.js';
export {
  type InsertableColumn,
  type InsertableTable,
  readInsertableTable,
} from './catalog/insertable-table.js';
export { type InlinePart, readInlineParts } from './catalog/inline-parts.js';
export { parseTableName, schemasAndNames, sqlName, sqlNames } from './catalog/names.js';
export { readRows, readRowsByTable, withoutNulls } from './catalog/read-rows.js';
export {
  advanceSequences,
  type FeedingSequence,
  findSequencesBehind,
  leavesRoom,
  readFeedingSequences,
  restartSequence,
} from './catalog/restart-sequences.js';
export {
  findSequences,
  hasDynamicSequence,
  keyOfSequence,
  readPositions,
  readTableSequences,
  readWriterSequences,
  type NeededSequence,
  type SequencePosition,
} from './catalog/table-sequences.js';
export { hasOtherOptions, readSequenceOptions, type SequenceOptions } from './catalog/sequence-options.js';
export { CONSTRAINT_NAMES } from './catalog/statements/constraint-names.sql.js';
export {
  ARE_MEMBERS,
  DEFINITION_CLOSURE,
  DEFINITION_GRAPH,
  FOREIGN_KEYS_ELSEWHERE,
  RELATIONS_OF_POLICIES,
  TABLES_TO_LEAVE_OUT,
  TYPES_OF_TRANSACTION,
} from './catalog/statements/definition-closure.sql.js';
export {
  ENABLED_INSERT_RULES,
  ENABLED_TRIGGERS,
  FOREIGN_KEYS_INTO,
  INHERITED_PARTS,
  IS_USERS_TRIGGER,
  ownParts,
} from './catalog/statements/foreign-keys.sql.js';
export { KEY_DEFINITIONS, TABLES_AND_PARTITIONS } from './catalog/statements/key-definitions.sql.js';
export { LOST_PARTS } from './catalog/statements/lost-parts.sql.js';
export { listedKeys } from './catalog/statements/listed-keys.sql.js';
export {
  HAS_LARGE_OBJECTS,
  MAY_SEE_LARGE_OBJECTS,
  OID_COLUMNS,
} from './catalog/statements/large-objects.sql.js';
export { LIST_RELATIONS, SURVEY_COLUMNS } from './catalog/statements/survey.sql.js';
export {
  FUNCTION_IN_MESSAGE,
  FUNCTIONS_EVALUATED,
  NAMED_OBJECT,
  TABLES_THAT_CALL_FUNCTIONS,
} from './catalog/statements/named-objects.sql.js';
export {
  ARE_IMMUTABLE,
  CHECK_CONSTRAINTS,
  UNIQUE_INDEXES,
} from './catalog/statements/table-constraints.sql.js';
export { UNMOVABLE_OBJECTS } from './catalog/statements/unmovable-objects.sql.js';
export {
  type Check,
  type ColumnType,
  type ForeignKey,
  type LooseColumn,
  type TableKeys,
  type DerivedKey,
  type UniqueKey,
  readForeignKeys,
  readTableKeys,
} from './catalog/table-keys.js';
export { environmentVariable, EXTRA_AUTHORITIES } from './config/environment.js';
export { ConnectionUrlError, parseConnectionUrl } from './connection/connection-url.js';
export {
  SSL_MODES,
  type SslMode,
  isEncryptedAsIn,
  isLoopback,
  isPlaintextRemote,
  sslModeOf,
} from './connection/encryption.js';
export { libpqEnvironment } from './connection/libpq-environment.js';
export { releasingLocks } from './connection/releasing-locks.js';
export { type FurtherSessions, openFurther } from './connection/further-sessions.js';
export { asSession } from './connection/session.js';
export { refusePooler } from './connection/refuse-pooler.js';
export { runInParallel } from './connection/run-in-parallel.js';
export {
  type ServerIdentity,
  isSameDatabase,
  readMajorVersion,
  readServerIdentity,
} from './connection/server-identity.js';
export { withinTime } from './connection/within-time.js';
export { type CopyIn, startCopyIn } from './copy/copy-in.js';
export { type MessageReceiver, copyOut, copyOutMessages } from './copy/copy-out.js';
export { callingEntries, type CatalogObject, chooseEntries, tableObjects } from './dump/choose-entries.js';
export { type PgToolLocations, findPgTools } from './dump/pg-tools.js';
export { isCommentOf, withoutInlineParts } from './dump/without-inline-parts.js';
export type { EntrySql, SeparateSql } from './dump/entry-sql.js';
export { type SchemaArchive, dumpSchema } from './dump/schema-archive.js';
export { type EngineLog, errorDetail, withRowValues } from './errors/error-detail.js';
export { type LackingPrivilege, lackingPrivileges } from './privileges/lacking-privileges.js';
export { type MissingGrant, missingPrivileges } from './privileges/missing-privileges.js';
export { type DatabaseLayout, readDatabaseLayout, readObjectOwners } from './privileges/database-layout.js';
export {
  DATABASE_ROLES,
  type DatabaseRole,
  type GrantRequest,
  type GrantStatement,
  grantStatements,
} from './privileges/grant-statements.js';
export * from './connection/index.js';
