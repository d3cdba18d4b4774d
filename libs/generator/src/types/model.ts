import {
  compileMode,
  GENERATION_MODES,
  MODE_LIMITS,
  NgramError,
  UnsatisfiableError,
  type GenerationMode,
  type ModeParameters,
  type ModePlan,
  type NgramModel,
  type WordConstraints,
} from '@understudy/ngram';
import type { Environment } from '../environment.js';
import { GenerationError, ParameterFault } from '../errors.js';
import { describe } from '../json-value.js';
import { defineGenerator } from '../registry/define-generator.js';
import { Parameters } from '../registry/parameters.js';
import type { ParamDeclaration, ParamsManifest } from '../registry/params-manifest.js';

const GENERATION: ParamsManifest = {
  mode: { type: 'string', default: 'word', values: GENERATION_MODES },
  params: { type: 'object' },
};

const STARTS_WITH: ParamDeclaration = { type: 'string' };
const MAX_WORDS: ParamDeclaration = { type: 'integer', minimum: 1, maximum: MODE_LIMITS.maxWords };

/** The params of each mode. Those that are absent have the library's defaults. */
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

/** Text of a trained model, in one of its modes. */
export const modelType = defineGenerator({
  name: '@svc/core:model',
  description:
    'Text that a trained N-gram model makes; mode word follows the model exactly under the constraints.',
  params: {
    source: { type: 'string', required: true, description: 'Id of the model, as en_US/first_names.' },
    generation: {
      type: 'object',
      description:
        '`{ mode, params }`. word (default): starts_with · sentence: word_count (as learned), punctuation (`.`; a string or an array to pick from), starts_with · text: max_chars (200), suffix, starts_with · paragraph: sentence_count (as learned), starts_with · poem: verses (4), stanza_length (4), max_words (8) · acrostic: initials, max_words (8) · real_word: prefix; null where none matches.',
    },
  },
  constraints: {
    starts_with: { type: 'string', description: 'Required prefix.' },
    ends_with: { type: 'string', description: 'Required suffix.' },
    contains: { type: 'string', description: 'Required substring.' },
    min_length: { type: 'integer', minimum: 0, description: 'Fewest code points.' },
    max_length: { type: 'integer', minimum: 0, description: 'Most code points.' },
    exclude_originals: { type: 'boolean', default: false, description: 'Never a training item.' },
  },
  output: 'string',
  examples: [
    { type: 'model', source: 'en_US/first_names' },
    { type: 'model', source: 'en_US/first_names', constraints: { starts_with: 'A', max_length: 6 } },
  ],
  build(parameters, constraints, environment) {
    const model = findModel(parameters, environment);
    const plan = compilePlan(model, readGeneration(parameters), constraints, parameters);
    return (random) => {
      try {
        return plan.sample(random);
      } catch (error) {
        if (error instanceof NgramError) throw new GenerationError(parameters.at('source'), error.message);
        throw error;
      }
    };
  },
});

function findModel(parameters: Parameters, { models }: Environment): NgramModel {
  const id = parameters.string('source');
  const model = models(id);
  if (model !== undefined) return model;
  const shown = /^[\w./-]{1,100}$/.test(id) ? `: ${id}` : '';
  throw parameters.fault('source', `there is no model of this name${shown}`);
}

interface Generation {
  readonly mode: GenerationMode;
  readonly params: Parameters;
  /** Where the mode itself stands. */
  readonly path: string;
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

function compilePlan(
  model: NgramModel,
  { mode, params, path }: Generation,
  constraints: Parameters,
  parameters: Parameters,
): ModePlan {
  // What was read has the names and types of ModeParameters but for the spelling, and absent stays absent.
  const modeParameters = camelCased(params, Object.keys(MODE_PARAMS[mode])) as ModeParameters[typeof mode];
  const wanted = camelCased(constraints, CONSTRAINTS) as WordConstraints;
  try {
    return compileMode(model, mode, modeParameters, wanted);
  } catch (error) {
    if (!(error instanceof NgramError)) throw error;
    throw new ParameterFault(placeOf(error, params, constraints, parameters, path), error.message);
  }
}

/** The param or constraint at fault, where the library names one; else the mode, the constraints, or the model. */
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
  if (CONSTRAINTS.some((constraint) => constraints.has(constraint))) return constraints.path;
  return parameters.has('generation') ? modePath : parameters.at('source');
}

const CONSTRAINTS = [
  'starts_with',
  'ends_with',
  'contains',
  'min_length',
  'max_length',
  'exclude_originals',
] as const;

/** Only what was given: a constraint that is there costs a larger plan. */
function camelCased(given: Parameters, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names
      .filter((name) => given.has(name) && given.raw(name) !== false)
      .map((name) => [name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), given.raw(name)]),
  );
}
