import type { Environment } from './environment.js';
import type { Registry } from './registry/registry.js';

export interface CompileOptions extends Environment {
  /** The generators that `use` may name; `CORE_REGISTRY` when absent. */
  readonly registry?: Registry;
}
