export {
  CheckFailure,
  CheckReport,
  type CheckResult,
  CheckSkipped,
  type Found,
  lineOf,
} from './check-report.js';
export { readSecretFile, SecretFileError, type SecretOptions, secretVariable } from './secret-file.js';
export { askSecret, readInputLines } from './secret-input.js';
export { loadVariablesFile, VariablesFileError, withConfigOption } from './variables-file.js';
