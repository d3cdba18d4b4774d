export { interruptible } from './commands/interruptible.js';
export { cleanUpOnExit } from './processes/clean-up-on-exit.js';
export { freePort } from './processes/free-port.js';
export { logTail } from './processes/log-tail.js';
export { identifyProcess, isRunning, type ProcessIdentity } from './processes/process-identity.js';
export { startProcess, type ProcessSpec } from './processes/start-process.js';
export { stopProcess } from './processes/stop-process.js';
export { waitUntilReady } from './processes/wait-until-ready.js';
export { ensureBinaries, ensurePgcopydb } from './provision/ensure-binaries.js';
export { findBinaries, postgresNamedBy } from './provision/find-binaries.js';
export {
  binaryEnvironment,
  type PostgresBinaries,
  type ServerBinary,
  type ServiceBinaries,
} from './provision/service-binaries.js';
export { findChromium, findNewestGo, findToolchain, type Toolchain } from './provision/toolchains.js';
export { startNats } from './services/nats.js';
export { postgresUser, startPostgres, stopPostgres } from './services/postgres.js';
export { makeDataFolder } from './services/postgres-data-folder.js';
export { isReachable, reachableFolder } from './services/reachable-folder.js';
export { onFreePort } from './services/on-free-port.js';
export { startRedis } from './services/redis.js';
export { startSwift, type RunningSwift } from './services/swift.js';
export type { RunningService } from './services/running-service.js';
export { makeControlDatabase } from './stack/control-database.js';
export { cleanEnvironment, controlPlaneCommand, programFile } from './stack/control-plane-program.js';
export { stackDown } from './stack/stack-down.js';
export type { StackInfo } from './stack/stack-info.js';
export type { StackOptions } from './stack/stack-options.js';
export { stackStatus, type ServiceStatus } from './stack/stack-status.js';
export { stackUp } from './stack/stack-up.js';
export { StackError } from './stack-error.js';
