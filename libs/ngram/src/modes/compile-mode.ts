import { UnsatisfiableError } from '../errors.js';
import { GENERATION_MODES, type GenerationMode } from '../model/model-metadata.js';
import type { NgramModel } from '../model/ngram-model.js';
import { type CompileWordOptions, compileWord } from '../sampling/compile-word.js';
import type { DrawBudget } from '../sampling/draw-budget.js';
import type { WordConstraints } from '../sampling/constraints/word-constraints.js';
import { compileAcrostic } from './acrostic-mode.js';
import { checkText } from './check-parameter.js';
import { MODE_LIMITS, type ModeParameters } from './mode-parameters.js';
import { ModeSite } from './mode-site.js';
import { compileParagraph } from './paragraph-mode.js';
import { compilePoem } from './poem-mode.js';
import { compileRealWord } from './real-word-mode.js';
import { compileSentence } from './sentence-mode.js';
import { compileText } from './text-mode.js';
import type { ByteSink } from '@understudy/bytes';
import type { RandomStream } from '@understudy/random';

type Constraint = keyof WordConstraints;

/** The names of the constraints in docs/reference.md. */
const CONSTRAINTS: Readonly<Record<Constraint, string>> = {
  startsWith: 'starts_with',
  endsWith: 'ends_with',
  contains: 'contains',
  minLength: 'min_length',
  maxLength: 'max_length',
  excludeOriginals: 'exclude_originals',
};

/** The constraints that each mode applies. */
export const MODE_CONSTRAINTS: Readonly<Record<GenerationMode, readonly Constraint[]>> = {
  word: ['startsWith', 'endsWith', 'contains', 'minLength', 'maxLength', 'excludeOriginals'],
  sentence: ['startsWith', 'excludeOriginals'],
  text: ['startsWith', 'maxLength', 'excludeOriginals'],
  paragraph: ['startsWith', 'excludeOriginals'],
  poem: ['excludeOriginals'],
  acrostic: ['excludeOriginals'],
  real_word: ['startsWith', 'endsWith', 'contains', 'minLength', 'maxLength', 'excludeOriginals'],
};

/** The modes that generate one value of the model instead of lines. They do not use a `DrawBudget`. */
const SINGLE: readonly GenerationMode[] = ['word', 'real_word'];

const COMPILERS: {
  readonly [M in GenerationMode]: (
    site: ModeSite,
    parameters: ModeParameters[M],
  ) => Pick<ModePlan, 'sample' | 'byteLength' | 'counts' | 'write'>;
} = {
  word: (site, { startsWith = site.constraints.startsWith }) =>
    compileWord(
      site.model,
      { ...site.constraints, ...(startsWith !== undefined && { startsWith }) },
      site.options,
    ),
  sentence: compileSentence,
  text: compileText,
  paragraph: compileParagraph,
  poem: compilePoem,
  acrostic: compileAcrostic,
  real_word: (site, { prefix }) =>
    compileRealWord(site.model, checkText(prefix ?? '', 'prefix', MODE_LIMITS.prefix), site.constraints),
};

/**
 * Returns the given constraints that the mode does not apply, with their names in docs/reference.md. A
 * constraint that is absent, false or an empty text has no effect and is not listed.
 */
export function ignoredConstraints(mode: GenerationMode, constraints: WordConstraints): readonly string[] {
  const applied = MODE_CONSTRAINTS[mode];
  return givenConstraints(constraints)
    .filter((name) => !applied.includes(name))
    .map((name) => CONSTRAINTS[name]);
}

function givenConstraints(constraints: WordConstraints): Constraint[] {
  return (Object.keys(CONSTRAINTS) as Constraint[]).filter(
    (name) => constraints[name] !== undefined && constraints[name] !== false && constraints[name] !== '',
  );
}

/**
 * Compiles a plan that draws from a model in one of the modes. Finds every error that can be found before the
 * first draw. Does not apply the constraints that `ignoredConstraints` lists.
 * @throws UnsatisfiableError if no text is possible, or if a parameter is out of its bounds
 * @throws PlanTooLargeError if the plan exceeds the budget
 * @throws ModeNotServedError if the model lacks the data that the mode needs
 */
export function compileMode<M extends GenerationMode>(
  model: NgramModel,
  mode: M,
  parameters: ModeParameters[M],
  constraints: WordConstraints = {},
  options: CompileWordOptions = {},
): ModePlan {
  if (!GENERATION_MODES.includes(mode)) {
    throw new UnsatisfiableError(`mode must be one of ${GENERATION_MODES.join(', ')}`, 'mode');
  }
  const applied = MODE_CONSTRAINTS[mode];
  const kept = Object.fromEntries(
    givenConstraints(constraints)
      .filter((name) => applied.includes(name))
      .map((name) => [name, constraints[name]]),
  ) as WordConstraints;
  const site = new ModeSite(model, kept, options);
  const plan = COMPILERS[mode](site, parameters);
  const isSingle = SINGLE.includes(mode);
  return {
    byteLength: plan.byteLength,
    ...(plan.counts === undefined ? {} : { counts: plan.counts }),
    sample: isSingle ? plan.sample.bind(plan) : drawsWithin(site.budget, plan),
    ...(isSingle && plan.write && { write: plan.write.bind(plan) }),
  };
}

function drawsWithin(budget: DrawBudget, plan: Pick<ModePlan, 'sample'>): ModePlan['sample'] {
  return (random) => {
    budget.renew();
    return plan.sample(random);
  };
}

/** Draws values of one mode. Serves one thread; not re-entrant. */
export interface ModePlan {
  /** The bytes of the plan's tables, including those that it shares with the model and other plans. */
  readonly byteLength: number;
  /**
   * How often each possible value occurred in training, in no particular order. Only mode `real_word` sets
   * it.
   */
  readonly counts?: readonly number[];
  /**
   * Draws one value, which depends only on `random`. The only effect is to advance `random`. The value is
   * null if no training value matches, which is possible only in mode `real_word`.
   * @throws AttemptsExhaustedError if no draw was acceptable
   * @throws TextTooLongError if the text would have more than 65,536 code points
   */
  sample(random: RandomStream): string | null;
  /** Like `write` of a `WordPlan`. */
  readonly write?: (random: RandomStream, out: ByteSink) => boolean;
}
