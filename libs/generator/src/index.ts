export { AUTHORED_TYPES, SVC_TYPE_NAMES, type AuthoredType } from './definition/authored-types.js';
export { BUDGETS } from './definition/budgets.js';
export {
  compileDefinition,
  compileTemplate,
  type CellOptions,
  type DefinitionPlan,
  type Inspected,
  type TemplateOptions,
} from './compile/compile-definition.js';
export type {
  CompileOptions,
  GeneratorSources,
  Generators,
  GeneratorType,
} from './registry/generator-type.js';
export type { SlotTexts } from '@understudy/expression';
export {
  compileSchema,
  type RecordCursor,
  type SchemaOptions,
  type SchemaPlan,
} from './compile/compile-schema.js';
export { CORE_REGISTRY, ENGINE_VERSION, seedKey } from './types/core-registry.js';
export { countDistinct, type CountedPlan, type DistinctCountRequest } from './values/distinct-count.js';
export {
  CHOSEN_TEXT_REFUSED,
  type CompositionSource,
  type Environment,
  type ListSource,
  type ModelSource,
  type PrivateSource,
} from './compile/environment.js';
export {
  DefinitionError,
  GenerationError,
  type DefinitionErrorCode,
  type GenerationErrorCode,
  type Problem,
} from './definition/errors.js';
export { joinPath } from './definition/json-value.js';
export type { AnyDraw, CountedDraw, Draw, StreamedDraw } from './values/node.js';
export { DEFAULT_VERSION, defineComposition, storedComposition } from './registry/define-composition.js';
export { defineGenerator, type GeneratorDefinition } from './registry/define-generator.js';
export type { Parameters } from './registry/parameters.js';
export type { ParamDeclaration, ParamsManifest, ParamType } from './registry/params-manifest.js';
export {
  type NumberedValues,
  type ValueTraits,
  evenVariety,
  weightedVariety,
  type Variety,
} from './values/variety.js';
export { Registry } from './registry/registry.js';
export { withCompositions, type CompositionStore } from './registry/stored-compositions.js';
