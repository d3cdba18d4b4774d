export { BuiltinLibrary } from './builtin-library.js';
export { type AssetReader, type BuiltinModel, BuiltinModels } from './builtin-models.js';
