export { loadVariablesFile, VariablesFileError, withConfigOption } from './variables-file.js';
