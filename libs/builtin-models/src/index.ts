export { BuiltinLibrary } from './builtin-library.js';
export {
  builtinLocales,
  type BuiltinModel,
  builtinModelIds,
  builtinModels,
  readBuiltinAsset,
  readBuiltinComposition,
  readBuiltinModel,
} from './builtin-models.js';
