export { DatabaseInUseError, type IgnoredSessions, waitUntilUnused } from './blocking-uses.js';
export { claimDatabase } from './database-claim.js';
export { nameBeside } from './database-names.js';
export {
  dropEarlierKept,
  dropKept,
  dropKeptDatabase,
  dropReplacedDatabase,
  type KeptDatabase,
} from './kept/kept-databases.js';
export { keptName, keptPrefix } from './kept/kept-name.js';
export { type RevertRequest, revertTarget } from './kept/revert-target.js';
export { lockLogin, type LockRequest } from './lock/lock-name.js';
export { lockTarget, type TargetLock } from './lock/lock-target.js';
export { untilReplaced, withLockedTarget } from './lock/locked-session.js';
export { applySettings, createNewDatabase, dropDatabase, dropWithSessions } from './new-database.js';
export {
  type DatabaseProperties,
  type FoundDatabase,
  readProperties,
  settingStatements,
} from './properties/database-properties.js';
export { LEDGER_COMMENT, ledgerComment, readChanges, recordChange } from './properties/changes.js';
export { findRefusedLogin, findSwapBlockers, type SwapBlocker } from './preflight/swap-blockers.js';
export {
  onTargetServer,
  type ServerSession,
  SESSION_NAME,
  withCreateFailures,
  withServerSession,
} from './server-session.js';
export { DUPLICATE_DATABASE, isSwitched, switchDatabases, type SwitchRequest } from './switch-databases.js';
