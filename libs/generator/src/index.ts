export { BUDGETS } from './budgets.js';
export {
  compileDefinition,
  compileTemplate,
  type CellOptions,
  type DefinitionPlan,
  type TemplateOptions,
} from './compile-definition.js';
export type { CompileOptions } from './compile-options.js';
export { compileSchema, type SchemaPlan } from './compile-schema.js';
export { ENGINE_VERSION } from './engine-version.js';
export {
  DefinitionError,
  GenerationError,
  type DefinitionErrorCode,
  type GenerationErrorCode,
  type Problem,
} from './errors.js';
