import {
  compileMode,
  compileWord,
  describeModel,
  describePlan,
  GENERATION_MODES,
  ignoredConstraints,
  MODE_CONSTRAINTS,
  MODE_LIMITS,
  NgramError,
  UnsatisfiableError,
  type GenerationMode,
  type ModeParameters,
  type ModePlan,
  type NgramModel,
  type WordConstraints,
} from '@understudy/ngram';
import { didYouMean } from '@understudy/expression';
import {
  CHOSEN_TEXT_REFUSED,
  type CompositionSource,
  type Environment,
  type ModelSource,
} from '../../compile/environment.js';
import { GenerationError, ParameterFault, UnsatisfiableFault } from '../../definition/errors.js';
import { joinPath, describe, isObject, own, type JsonObject } from '../../definition/json-value.js';
import type { Draw, Node, TextDraw } from '../../values/node.js';
import { compileArguments, type Arguments } from '../../registry/arguments.js';
import { defineGenerator } from '../../registry/define-generator.js';
import type { GeneratorSite, GeneratorType } from '../../registry/generator-type.js';
import { Parameters } from '../../registry/parameters.js';
import type { ParamDeclaration, ParamsManifest } from '../../registry/params-manifest.js';
import { weightedVariety, type Variety } from '../../values/variety.js';
import { readCompositionFilters, withTextFilters } from '../composition/composition-model.js';
import { listModelDraw, type Generation } from '../list/list-model.js';

const GENERATION: ParamsManifest = {
  mode: { type: 'string', default: 'word', values: GENERATION_MODES },
  params: { type: 'object' },
};

const STARTS_WITH: ParamDeclaration = { type: 'string' };
const MAX_WORDS: ParamDeclaration = { type: 'integer', minimum: 1, maximum: MODE_LIMITS.maxWords };

/** The params of each mode. Absent params have the defaults of the n-gram library. */
const MODE_PARAMS: Readonly<Record<GenerationMode, ParamsManifest>> = {
  word: { starts_with: STARTS_WITH },
  sentence: {
    word_count: { type: 'integer', minimum: 1, maximum: MODE_LIMITS.wordCount },
    punctuation: { type: 'any' },
    starts_with: STARTS_WITH,
  },
  text: {
    max_chars: { type: 'integer', minimum: 1, maximum: MODE_LIMITS.maxChars },
    suffix: { type: 'string' },
    starts_with: STARTS_WITH,
  },
  paragraph: {
    sentence_count: { type: 'integer', minimum: 1, maximum: MODE_LIMITS.sentenceCount },
    starts_with: STARTS_WITH,
  },
  poem: {
    verses: { type: 'integer', minimum: 1, maximum: MODE_LIMITS.verses },
    stanza_length: { type: 'integer', minimum: 1, maximum: MODE_LIMITS.stanzaLength },
    max_words: MAX_WORDS,
  },
  acrostic: { initials: { type: 'string' }, max_words: MAX_WORDS },
  real_word: { prefix: { type: 'string' } },
};

function inMode(source: string, mode: GenerationMode, params: JsonObject): JsonObject {
  return { type: 'model', source, generation: { mode, params } };
}

/** Describes a constraint and the modes that apply it. */
function inModes(name: string, description: string): string {
  const modes = GENERATION_MODES.filter((mode) =>
    MODE_CONSTRAINTS[mode].some((one) => one === camelCase(name)),
  );
  const shown = modes.length === GENERATION_MODES.length ? 'every mode' : `the modes ${modes.join(', ')}`;
  return `${description} Applied in ${shown}.`;
}

const CONSTRAINTS: ParamsManifest = {
  starts_with: {
    type: 'string',
    description: inModes('starts_with', 'The text that a value must start with.'),
  },
  ends_with: { type: 'string', description: inModes('ends_with', 'The text that a value must end with.') },
  contains: { type: 'string', description: inModes('contains', 'The text that a value must contain.') },
  min_length: {
    type: 'integer',
    minimum: 0,
    description: inModes('min_length', 'The smallest number of code points.'),
  },
  max_length: {
    type: 'integer',
    minimum: 0,
    description: inModes('max_length', 'The largest number of code points.'),
  },
  exclude_originals: {
    type: 'boolean',
    default: false,
    description: inModes('exclude_originals', 'If true, values are never training items.'),
  },
};

const textType = defineGenerator({
  name: '@svc/core:model',
  description:
    'Generates text from a trained n-gram model. In mode word, each value has its probability in the ' +
    'model, among the values that meet the constraints. A constraint that the mode does not apply ' +
    'causes a warning.',
  params: {
    source: {
      type: 'string',
      required: true,
      description:
        'The id of the model, for example en_US/first_names. If it is the id of a list, only the modes ' +
        'word and real_word are allowed. If it is the id of a composition, only mode word is allowed, ' +
        'without exclude_originals. A composition draws again until a value meets the constraints.',
    },
    generation: {
      type: 'object',
      description:
        'The mode and its params, as `{ mode, params }`; the default mode is word. These are the ' +
        'params of each mode, with their defaults in brackets. The modes word, sentence, ' +
        'text and paragraph have starts_with. sentence: word_count (as in the training text), punctuation (`.`; a string, or ' +
        'an array to pick from). text: max_chars (200), suffix. paragraph: sentence_count (as in the ' +
        'training text). poem: verses (4), stanza_length (4), max_words (8). acrostic: initials, ' +
        'max_words (8). real_word: prefix.',
    },
  },
  constraints: CONSTRAINTS,
  output: 'string',
  nullWhen: 'if no training value matches in mode real_word',
  examples: [
    { type: 'model', source: 'en_US/first_names' },
    { type: 'model', source: 'en_US/first_names', constraints: { starts_with: 'A', max_length: 6 } },
    inMode('en_US/words', 'sentence', { word_count: 6, punctuation: ['.', '!'] }),
    inMode('en_US/words', 'text', { max_chars: 60, suffix: '…' }),
    inMode('en_US/words', 'paragraph', { sentence_count: 2 }),
    inMode('en_US/words', 'poem', { verses: 4, stanza_length: 2, max_words: 3 }),
    inMode('en_US/words', 'acrostic', { initials: 'bed', max_words: 3 }),
    inMode('en_US/first_names', 'real_word', { prefix: 'An' }),
  ],
  build(parameters, constraints, environment) {
    const source = findSource(parameters, environment);
    const generation = readGeneration(parameters);
    if ('kind' in source && source.kind !== 'private') {
      if (source.kind === 'list') return listModelDraw(source, generation, constraints, parameters);
      throw parameters.fault(
        'source',
        'is a composition, whose id cannot come from a template; write the id itself',
      );
    }
    const isPrivate = 'kind' in source;
    if (isPrivate && generation.mode === 'real_word')
      throw new ParameterFault(generation.path, 'a private model does not serve real_word');
    if (isPrivate && source.refusesChosenText && choosesText(generation, constraints))
      throw new ParameterFault(generation.path, CHOSEN_TEXT_REFUSED);
    const model = isPrivate ? source.model : source;
    const wanted = { ...wordConstraints(constraints), ...(isPrivate && { excludeOriginals: true }) };
    const plan = compilePlan(model, generation, { constraints, wanted }, parameters);
    const draw: Draw = (random) => {
      try {
        return plan.sample(random);
      } catch (error) {
        throw blamed(error, parameters);
      }
    };
    const { counts } = plan;
    if (counts !== undefined && counts.length > 0) return { draw, variety: () => weightedVariety(counts) };
    if (generation.mode !== 'word') return draw; // texts of many words have practically unlimited variety
    const write = textDraw(plan, parameters);
    const variety =
      isPrivate && source.refusesChosenText
        ? () => varietyBeyondOriginals(model, wordVariety(model, generation, wordConstraints(constraints)))
        : () => wordVariety(model, generation, wanted);
    return { draw, ...(write && { write }), variety };
  },
});

function choosesText({ params }: Generation, constraints: Parameters): boolean {
  const chosen = [
    ...['starts_with', 'ends_with', 'contains'].map((name) => constraints.raw(name)),
    ...['starts_with', 'initials'].map((name) => params.raw(name)),
  ];
  return chosen.some((text) => (text ?? '') !== '');
}

function textDraw({ write }: ModePlan, parameters: Parameters): TextDraw | undefined {
  if (write === undefined) return undefined;
  return (random, out) => {
    try {
      return write(random, out);
    } catch (error) {
      throw blamed(error, parameters);
    }
  };
}

function blamed(error: unknown, parameters: Parameters): unknown {
  return error instanceof NgramError ? new GenerationError(parameters.at('source'), error.message) : error;
}

/**
 * Generates texts with a trained model, in one of the model's modes. If the id refers to a list or a
 * composition, generates values of the list or the composition.
 */
export const modelType: GeneratorType = {
  ...textType,
  compile(site) {
    const composition = compositionOf(site);
    if (composition !== undefined) return compileComposed(composition, site);
    warnOfIgnored(site);
    return textType.compile(site);
  },
};

/**
 * Returns the composition that a constant id refers to, or undefined. For such an id, `model` compiles to the
 * node of the composition.
 */
function compositionOf({ params, context }: GeneratorSite): CompositionSource | undefined {
  const id = own(params, 'source');
  if (typeof id !== 'string' || id.includes('{{')) return undefined;
  const source = context.environment.models(id);
  return source !== undefined && 'kind' in source && source.kind === 'composition' ? source : undefined;
}

/** Warns about constraints that the mode does not apply. */
function warnOfIgnored({ params, constraints, paths, context }: GeneratorSite): void {
  const mode = modeOf(params);
  for (const name of Object.keys(CONSTRAINTS)) {
    const value = own(constraints, name) ?? undefined;
    const isIgnoredBy = (one: GenerationMode) =>
      ignoredConstraints(one, { [camelCase(name)]: value }).includes(name);
    const path = joinPath(paths.constraints, name);
    const serving = GENERATION_MODES.filter((one) => !isIgnoredBy(one)).join(', ');
    if (mode === undefined && GENERATION_MODES.some(isIgnoredBy)) {
      context.warn(path, `applies only in the modes ${serving}, and a template provides the mode`);
    } else if (mode !== undefined && isIgnoredBy(mode)) {
      context.warn(path, `is not applied in mode ${mode}; it applies in the modes ${serving}`);
    }
  }
}

/**
 * Returns the mode of the params. The default is `word`. Returns undefined if a template provides the mode.
 */
function modeOf(params: JsonObject): GenerationMode | undefined {
  const generation = own(params, 'generation');
  const written = isObject(generation) ? own(generation, 'mode') : generation;
  if (typeof written === 'string' && written.includes('{{')) return undefined;
  return GENERATION_MODES.find((mode) => mode === written) ?? 'word';
}

function compileComposed({ use }: CompositionSource, site: GeneratorSite): Node | undefined {
  const { paths, names, context, generators } = site;
  const params = compileArguments(site.params, textType.params, paths.params, names, context);
  const constraints = compileArguments(site.constraints, CONSTRAINTS, paths.constraints, names, context);
  if (params === undefined || constraints === undefined) return undefined;
  const filters = context.attempt(paths.params, () =>
    readCompositionFilters(
      readGeneration(
        new Parameters(written(params, joinPath(paths.params, 'generation')), textType.params, paths.params),
      ),
      new Parameters(written(constraints, paths.constraints), CONSTRAINTS, paths.constraints),
    ),
  );
  if (filters === undefined) return undefined;
  const type = generators.find(use);
  if (type === undefined)
    return context.fail(
      joinPath(paths.params, 'source'),
      'refers to a composition that is not available here',
    );
  const node = type.compile({ ...site, params: {}, constraints: {} });
  return node && withTextFilters(node, filters, paths.constraints);
}

/**
 * Returns arguments as written in the definition. @throws ParameterFault if one of them contains a template
 */
function written({ constant }: Arguments, path: string): JsonObject {
  if (constant !== undefined) return constant;
  throw new ParameterFault(
    path,
    'must not contain templates: this id refers to a composition, for which the value must be constant',
  );
}

function findSource(parameters: Parameters, { models, modelIds }: Environment): ModelSource {
  const id = parameters.string('source');
  const source = models(id);
  if (source !== undefined) return source;
  const shown = /^[\w./-]{1,100}$/.test(id) ? `: ${id}` : '';
  const hint = modelIds === undefined ? '' : didYouMean(id, modelIds());
  throw parameters.fault('source', `there is no model of this name${shown}${hint}`);
}

function readGeneration(parameters: Parameters): Generation {
  const path = parameters.at('generation');
  const generation = new Parameters(parameters.object('generation') ?? {}, GENERATION, path);
  const mode = generation.string('mode') as GenerationMode;
  const params = new Parameters(
    generation.object('params') ?? {},
    MODE_PARAMS[mode],
    generation.at('params'),
  );
  const punctuation = params.raw('punctuation') ?? '.';
  if (!isPunctuation(punctuation)) {
    throw params.fault(
      'punctuation',
      `must be a string or an array of strings, got ${describe(punctuation)}`,
    );
  }
  return { mode, params, path: generation.at('mode') };
}

function isPunctuation(value: unknown): boolean {
  return Array.isArray(value) ? value.every((item) => typeof item === 'string') : typeof value === 'string';
}

/**
 * Returns the variety that remains if every training value was one of the words. It depends on their number, but not on
 * whether one of them is a certain word.
 */
function varietyBeyondOriginals(
  { originals }: NgramModel,
  variety: Variety | undefined,
): Variety | undefined {
  if (variety === undefined) return undefined;
  const most = Math.max(0, variety.easy - (typeof originals === 'object' ? originals.size : 0));
  return { most, easy: most };
}

/**
 * Returns the variety of the words. Returns undefined if no word meets the constraints, or if the
 * model almost never ends a word.
 */
function wordVariety(
  model: NgramModel,
  { params }: Generation,
  constraints: WordConstraints,
): Variety | undefined {
  const wanted: WordConstraints = { ...constraints, ...camelCased(params, ['starts_with']) };
  try {
    const isFree = Object.keys(wanted).length === 0;
    const { distinctCapacity } = isFree ? describeModel(model) : describePlan(compileWord(model, wanted));
    return { most: Infinity, easy: distinctCapacity };
  } catch (error) {
    if (error instanceof NgramError) return undefined;
    throw error;
  }
}

function compilePlan(
  model: NgramModel,
  { mode, params, path }: Generation,
  { constraints, wanted }: { readonly constraints: Parameters; readonly wanted: WordConstraints },
  parameters: Parameters,
): ModePlan {
  // Except for snake case, the params have the names and types of ModeParameters. An absent param stays
  // absent.
  const modeParameters = camelCased(params, Object.keys(MODE_PARAMS[mode])) as ModeParameters[typeof mode];
  try {
    return compileMode(model, mode, modeParameters, wanted);
  } catch (error) {
    if (!(error instanceof NgramError)) throw error;
    const Fault = error instanceof UnsatisfiableError ? UnsatisfiableFault : ParameterFault;
    throw new Fault(placeOf(error, params, constraints, parameters, path), error.message);
  }
}

function wordConstraints(constraints: Parameters): WordConstraints {
  return camelCased(constraints, Object.keys(CONSTRAINTS));
}

/**
 * Returns the path of the param or constraint that caused the error, if the error names it. Otherwise returns
 * the path of the constraints, the mode or the model.
 */
function placeOf(
  error: NgramError,
  params: Parameters,
  constraints: Parameters,
  parameters: Parameters,
  modePath: string,
): string {
  const name = error instanceof UnsatisfiableError ? error.parameter : undefined;
  if (name !== undefined && params.has(name)) return params.at(name);
  if (name !== undefined && constraints.has(name)) return constraints.at(name);
  if (Object.keys(CONSTRAINTS).some((constraint) => constraints.has(constraint))) return constraints.path;
  return parameters.has('generation') ? modePath : parameters.at('source');
}

/**
 * Returns the given params with camel-case names. Leaves out params that are absent or false, because every
 * constraint makes the plan larger.
 */
function camelCased(given: Parameters, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names
      .filter((name) => given.has(name) && given.raw(name) !== false)
      .map((name) => [camelCase(name), given.raw(name)]),
  );
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
