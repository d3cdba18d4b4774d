export { builtinModelIds, readBuiltinModel } from './builtin-models.js';
