export {
  cleanEnvironment,
  cleanUpOnExit,
  dashboardLink,
  findBinaries,
  freePort,
  identifyProcess,
  interruptible,
  isReachable,
  isRunning,
  LocalSystemError,
  logTail,
  makeControlDatabase,
  makeDataFolder,
  onFreePort,
  postgresNamedBy,
  postgresUser,
  reachableFolder,
  startNats,
  startPostgres,
  startProcess,
  startRedis,
  stopPostgres,
  stopProcess,
  waitUntilReady,
  binaryEnvironment,
  type PostgresBinaries,
  type ProcessIdentity,
  type ProcessSpec,
  type RunningService,
  type ServerBinary,
  type ServiceBinaries,
  type ServiceStatus,
} from '@understudy/local-system';
export { ensureBinaries, ensurePgcopydb } from './provision/ensure-binaries.js';
export { findChromium, findNewestGo, findToolchain, type Toolchain } from './provision/toolchains.js';
export { startSwift, type RunningSwift } from './services/swift.js';
export { checkoutPrograms, programFile } from './stack/checkout-programs.js';
export { stackDown, stackStatus, stackUp, type StackInfo, type StackOptions } from './stack/stack.js';
