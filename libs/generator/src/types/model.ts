import type { Names } from '@understudy/expression';
import {
  compileWord,
  NgramError,
  type NgramModel,
  type WordConstraints,
  type WordPlan,
} from '@understudy/ngram';
import type { CompileContext } from '../compile-context.js';
import { GenerationError, ParameterFault } from '../errors.js';
import { describe, isObject, type JsonObject } from '../json-value.js';
import type { Draw, Node } from '../node.js';
import { resolvedDrawNode } from './resolved-draw.js';
import { Parameters } from './svc/parameters.js';

const MODES = ['word', 'sentence', 'text', 'paragraph', 'poem', 'acrostic', 'real_word'];
const CONSTRAINTS = ['starts_with', 'ends_with', 'contains', 'min_length', 'max_length', 'exclude_originals'];

/** Where the parts of one model definition stand, for messages. */
export interface ModelPaths {
  readonly definition: string;
  readonly params: string;
  readonly constraints: string;
}

/** `@svc/core:model`: a word of a trained model, sampled exactly under the constraints. */
export function compileModel(
  params: JsonObject,
  constraints: unknown,
  paths: ModelPaths,
  names: Names,
  context: CompileContext,
): Node | undefined {
  const all: JsonObject = constraints === undefined ? { params } : { params, constraints };
  return resolvedDrawNode(all, paths.definition, names, context, (resolved) =>
    buildWord(resolved, paths, context.options.models),
  );
}

function buildWord(
  resolved: JsonObject,
  paths: ModelPaths,
  models: (id: string) => NgramModel | undefined,
): Draw {
  const parameters = new Parameters(isObject(resolved['params']) ? resolved['params'] : {}, paths.params);
  parameters.only('source', 'generation');
  const startsWith = readGeneration(parameters);
  const model = readModelOf(parameters, models);
  const constraints = readConstraints(resolved['constraints'], startsWith, paths.constraints);
  const plan = compilePlan(model, constraints, paths);
  return (random) => {
    try {
      return plan.sample(random);
    } catch (error) {
      if (error instanceof NgramError) throw new GenerationError(paths.definition, error.message);
      throw error;
    }
  };
}

function readModelOf(parameters: Parameters, models: (id: string) => NgramModel | undefined): NgramModel {
  if (parameters.raw('source') === undefined)
    throw parameters.fault('source', 'a model generator needs a source');
  const id = parameters.string('source', '');
  const model = models(id);
  if (model !== undefined) return model;
  throw parameters.fault(
    'source',
    `there is no model of this name${/^[\w./-]{1,100}$/.test(id) ? `: ${id}` : ''}`,
  );
}

/** Only the mode `word` is there yet. @returns its starts_with, if any */
function readGeneration(parameters: Parameters): string | undefined {
  const generation = parameters.raw('generation');
  if (generation === undefined) return undefined;
  if (!isObject(generation))
    throw parameters.fault('generation', `must be an object, got ${describe(generation)}`);
  const options = new Parameters(generation, parameters.at('generation')).only('mode', 'params');
  const mode = options.string('mode', 'word');
  if (!MODES.includes(mode)) throw options.fault('mode', `unknown mode; there are ${MODES.join(', ')}`);
  if (mode !== 'word') throw options.fault('mode', `mode ${mode} is not supported yet; word is`);
  const params = options.raw('params');
  if (params === undefined) return undefined;
  if (!isObject(params)) throw options.fault('params', `must be an object, got ${describe(params)}`);
  const inner = new Parameters(params, options.at('params')).only('starts_with');
  return inner.raw('starts_with') === undefined ? undefined : inner.string('starts_with', '');
}

function readConstraints(
  constraints: unknown,
  startsWith: string | undefined,
  path: string,
): WordConstraints {
  if (constraints !== undefined && !isObject(constraints)) {
    throw new ParameterFault(path, `must be an object, got ${describe(constraints)}`);
  }
  const given = new Parameters(constraints ?? {}, path).only(...CONSTRAINTS);
  const text = (key: string): string | undefined =>
    given.raw(key) === undefined ? undefined : given.string(key, '');
  const length = (key: string): number | undefined => {
    if (given.raw(key) === undefined) return undefined;
    const value = given.integer(key, 0);
    if (value < 0) throw given.fault(key, `must not be negative, got ${value}`);
    return value;
  };
  const entries: WordConstraints = {
    startsWith: startsWith ?? text('starts_with'),
    endsWith: text('ends_with'),
    contains: text('contains'),
    minLength: length('min_length'),
    maxLength: length('max_length'),
    excludeOriginals: given.boolean('exclude_originals', false),
  };
  // Only what was asked for: a constraint that is there costs a larger plan.
  return Object.fromEntries(
    Object.entries(entries).filter(([, value]) => value !== undefined && value !== false),
  );
}

function compilePlan(model: NgramModel, constraints: WordConstraints, paths: ModelPaths): WordPlan {
  try {
    return compileWord(model, constraints);
  } catch (error) {
    const constrained = Object.keys(constraints).length > 0;
    if (error instanceof NgramError)
      throw new ParameterFault(constrained ? paths.constraints : paths.definition, error.message);
    throw error;
  }
}
