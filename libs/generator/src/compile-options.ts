import type { Environment } from './environment.js';
import type { Generators } from './registry/generator-type.js';

export interface CompileOptions extends Environment {
  /** The generators that `use` may name; `CORE_REGISTRY` when absent. */
  readonly registry?: Generators;
}

/** Where definitions find what they name: models, list assets and generators. */
export type GeneratorSources = Omit<CompileOptions, 'nowMs'>;
