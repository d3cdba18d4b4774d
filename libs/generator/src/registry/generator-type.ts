import type { Names } from '@understudy/expression';
import type { CompileContext } from '../compile/compile-context.js';
import type { JsonObject } from '../definition/json-value.js';
import type { Node } from '../values/node.js';
import type { ParamsManifest, ParamType } from './params-manifest.js';
import type { Environment } from '../compile/environment.js';

/** A registered generator. `{ use: name, params }` calls it. */
export interface GeneratorType {
  /** `@<namespace>/<package>:<name>` */
  readonly name: string;
  readonly version: string;
  /** One sentence. */
  readonly description: string;
  readonly params: ParamsManifest;
  /** The keys of `constraints` that the generator accepts. If absent, it accepts none. */
  readonly constraints?: ParamsManifest;
  readonly output: ParamType;
  /**
   * Completes the sentence "It returns …, or null" with a condition such as `if nothing matches`. Absent if
   * the value is never null.
   */
  readonly nullWhen?: string;
  /** True if the value depends on the row number. A cell without a row number cannot use the generator. */
  readonly countsRows?: boolean;
  /**
   * Complete definitions. The documentation shows them. Tests use them to check the laws that every generator
   * must obey.
   */
  readonly examples: readonly JsonObject[];
  /** @returns undefined if problems were added */
  compile(site: GeneratorSite): Node | undefined;
}

/** Finds generators for `use`. */
export interface Generators {
  /** Returns the generator of a name, or undefined. */
  find(name: string): GeneratorType | undefined;
  /** Returns all names, for suggestions in messages. */
  names(): readonly string[];
}

/** One use of a generator. */
export interface GeneratorSite {
  readonly params: JsonObject;
  readonly constraints: JsonObject;
  readonly paths: SitePaths;
  /** The names that templates and expressions of the params may refer to. */
  readonly names: Names;
  readonly context: CompileContext;
  /** The generators that the definition may name. */
  readonly generators: Generators;
}

/** The paths of the definition's parts, for messages. */
export interface SitePaths {
  readonly definition: string;
  readonly params: string;
  readonly constraints: string;
}

export interface CompileOptions extends Environment {
  /** The generators that `use` may name. The default is `CORE_REGISTRY`. */
  readonly registry?: Generators;
}

/** The models, list assets and generators that definitions may name. */
export type GeneratorSources = Omit<CompileOptions, 'nowMs' | 'isStored'>;
