export { findBinaries, findPgcopydb, findProgram, postgresNamedBy } from './binaries/find-binaries.js';
export {
  binaryEnvironment,
  SERVICE_PROGRAMS,
  type PackagedName,
  type PostgresBinaries,
  type ServerBinary,
  type ServiceBinaries,
  type ServiceName,
} from './binaries/service-binaries.js';
export { packageCache, unpackedPackages } from './binaries/unpacked-packages.js';
export { LocalSystemError } from './local-system-error.js';
export { cleanUpOnExit } from './processes/clean-up-on-exit.js';
export { freePort } from './processes/free-port.js';
export { interruptible } from './processes/interruptible.js';
export { logTail } from './processes/log-tail.js';
export { identifyProcess, isRunning, type ProcessIdentity } from './processes/process-identity.js';
export { startProcess, type ProcessSpec } from './processes/start-process.js';
export { stopProcess } from './processes/stop-process.js';
export { isRoot } from './processes/system-user.js';
export { waitUntilReady } from './processes/wait-until-ready.js';
export { startNats } from './services/nats.js';
export { onFreePort } from './services/on-free-port.js';
export { postgresUser, startPostgres, stopPostgres } from './services/postgres.js';
export { makeDataFolder } from './services/postgres-data-folder.js';
export { probeNats, probePostgres, probeRedis } from './services/probes.js';
export { isReachable, reachableFolder } from './services/reachable-folder.js';
export { startRedis } from './services/redis.js';
export type { RunningService, ServiceSettings } from './services/running-service.js';
export { withClient } from './services/with-client.js';
export { createEmptyDatabase, databaseExists } from './sample-shop/databases.js';
export { loadShop } from './sample-shop/load-shop.js';
export { DATABASES_ROLE, makeControlDatabase, makeDatabasesRole } from './system/database-roles.js';
export {
  cleanEnvironment,
  runCommand,
  type Environment,
  type Program,
  type Programs,
} from './system/programs.js';
export { dashboardLink, joinAsOwner, type DashboardLink } from './system/sign-in-link.js';
export { startSystem } from './system/start-system.js';
export { stopSystem } from './system/stop-system.js';
export type { SystemInfo } from './system/system-info.js';
export { withSystemLock } from './system/system-lock.js';
export {
  LOCAL_WEBHOOKS,
  type ExternalServices,
  type OfferedDatabases,
  type SystemOptions,
} from './system/system-options.js';
export { readState, type ProcessName } from './system/system-state.js';
export { endedProcess, systemStatus, type ServiceStatus } from './system/system-status.js';
