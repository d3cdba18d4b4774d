export {
  CheckFailure,
  CheckReport,
  type CheckResult,
  CheckSkipped,
  type Found,
  lineOf,
} from './check-report.js';
export { type Environment, EnvironmentReader } from './environment-reader.js';
export { readSecretFile, SecretFileError, type SecretOptions, secretVariable } from './secret-file.js';
export { askSecret, readInputLines } from './secret-input.js';
export {
  type DescribedVariable,
  type Form,
  integer,
  LOG_LEVELS,
  type LogLevel,
  megabytes,
  oneOf,
  readAll,
  readerOf,
  seconds,
  text,
  type Variable,
  variable,
} from './variable.js';
export { loadVariablesFile, VariablesFileError, withConfigOption } from './variables-file.js';
