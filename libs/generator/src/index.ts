export { AUTHORED_TYPES, SVC_TYPE_NAMES, type AuthoredType } from './authored-types.js';
export { BUDGETS } from './budgets.js';
export {
  compileDefinition,
  compileTemplate,
  type CellOptions,
  type DefinitionPlan,
  type TemplateOptions,
} from './compile-definition.js';
export type { CompileOptions, GeneratorSources } from './compile-options.js';
export type { SlotTexts } from '@understudy/expression';
export { compileSchema, type RecordCursor, type SchemaOptions, type SchemaPlan } from './compile-schema.js';
export { CORE_REGISTRY } from './core-registry.js';
export { countDistinct, type CountedPlan, type DistinctCountRequest } from './distinct-count.js';
export type {
  CompositionSource,
  Environment,
  ListSource,
  ModelSource,
  PrivateSource,
} from './environment.js';
export { ENGINE_VERSION, seedKey } from './engine-version.js';
export {
  DefinitionError,
  GenerationError,
  type DefinitionErrorCode,
  type GenerationErrorCode,
  type Problem,
} from './errors.js';
export type { AnyDraw, CountedDraw, Draw, StreamedDraw } from './node.js';
export { DEFAULT_VERSION, defineComposition, storedComposition } from './registry/define-composition.js';
export { defineGenerator, type GeneratorDefinition } from './registry/define-generator.js';
export type { Generators, GeneratorType } from './registry/generator-type.js';
export type { Parameters } from './registry/parameters.js';
export type { ParamDeclaration, ParamsManifest, ParamType } from './registry/params-manifest.js';
export type { NumberedValues, ValueTraits } from './value-traits.js';
export { evenVariety, weightedVariety, type Variety } from './variety.js';
export { Registry } from './registry/registry.js';
export { withCompositions, type CompositionStore } from './registry/stored-compositions.js';
