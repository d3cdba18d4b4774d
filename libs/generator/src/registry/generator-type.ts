import type { Names } from '@understudy/expression';
import type { CompileContext } from '../compile/compile-context.js';
import type { JsonObject } from '../definition/json-value.js';
import type { Node } from '../values/node.js';
import type { ParamsManifest, ParamType } from './params-manifest.js';
import type { Environment } from '../compile/environment.js';

/** A generator as the registry knows it: `{ use: name, params }` calls it. */
export interface GeneratorType {
  /** `@<namespace>/<package>:<name>` */
  readonly name: string;
  readonly version: string;
  /** One sentence. */
  readonly description: string;
  readonly params: ParamsManifest;
  /** The keys of `constraints` that it takes; none when absent. */
  readonly constraints?: ParamsManifest;
  readonly output: ParamType;
  /** When its value is null, as the end of a sentence; absent where it never is. */
  readonly nullWhen?: string;
  /** The value counts rows, so that a cell without a row number cannot have it. */
  readonly countsRows?: boolean;
  /** Whole definitions, shown in the documentation and held to the laws that every generator keeps. */
  readonly examples: readonly JsonObject[];
  /** @returns undefined when problems were filed */
  compile(site: GeneratorSite): Node | undefined;
}

/** Where `use` finds generators. */
export interface Generators {
  /** The generator of a name, or undefined. */
  find(name: string): GeneratorType | undefined;
  /** All names, to suggest one of. */
  names(): readonly string[];
}

/** One use of a generator. */
export interface GeneratorSite {
  readonly params: JsonObject;
  readonly constraints: JsonObject;
  readonly paths: SitePaths;
  /** What templates and expressions of the params may refer to. */
  readonly names: Names;
  readonly context: CompileContext;
  /** The generators that the definition may name. */
  readonly generators: Generators;
}

/** Where the parts of the definition stand, for messages. */
export interface SitePaths {
  readonly definition: string;
  readonly params: string;
  readonly constraints: string;
}

export interface CompileOptions extends Environment {
  /** The generators that `use` may name; `CORE_REGISTRY` when absent. */
  readonly registry?: Generators;
}

/** Where definitions find what they name: models, list assets and generators. */
export type GeneratorSources = Omit<CompileOptions, 'nowMs'>;
