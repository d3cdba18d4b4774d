export { describeInstallation, describeUninstallation, nextCommands } from './describe-result.js';
export {
  existingFiles,
  installService,
  type InstallRequest,
  type NewFile,
  requireRoot,
} from './install-service.js';
export { type FileChange, ServiceError } from './protected-files.js';
export { type Service, type ServiceProgram, unitPath } from './service.js';
export { uninstallService, type Uninstalled } from './uninstall-service.js';
export { unitText } from './unit-text.js';
