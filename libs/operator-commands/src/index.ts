export { SecretFileError, type SecretOptions, secretVariable } from './secret-file.js';
export { loadVariablesFile, VariablesFileError, withConfigOption } from './variables-file.js';
