export { BuiltinLibrary } from './builtin-library.js';
export {
  type BuiltinModel,
  builtinModelIds,
  builtinModels,
  readBuiltinAsset,
  readBuiltinComposition,
  readBuiltinModel,
} from './builtin-models.js';
