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

/** The constraints as the reference writes them. */
const CONSTRAINTS: Readonly<Record<Constraint, string>> = {
  startsWith: 'starts_with',
  endsWith: 'ends_with',
  contains: 'contains',
  minLength: 'min_length',
  maxLength: 'max_length',
  excludeOriginals: 'exclude_originals',
};

/** Those that a mode applies. */
export const MODE_CONSTRAINTS: Readonly<Record<GenerationMode, readonly Constraint[]>> = {
  word: ['startsWith', 'endsWith', 'contains', 'minLength', 'maxLength', 'excludeOriginals'],
  sentence: ['startsWith', 'excludeOriginals'],
  text: ['startsWith', 'maxLength', 'excludeOriginals'],
  paragraph: ['startsWith', 'excludeOriginals'],
  poem: ['excludeOriginals'],
  acrostic: ['excludeOriginals'],
  real_word: ['startsWith', 'endsWith', 'contains', 'minLength', 'maxLength', 'excludeOriginals'],
};

/** Modes whose value is one draw of one plan. */
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
 * The constraints that are given and that the mode does not apply, as the reference writes them. Absent, false and
 * empty ones constrain nothing.
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
 * Compiles a plan that draws from a model in one of the modes. Whatever can be known before the first draw is found
 * out here. Leaves out the constraints that `ignoredConstraints` lists.
 * @throws UnsatisfiableError when there is no such text, or a parameter is out of its bounds · PlanTooLargeError
 *   beyond the budget · ModeNotServedError when the model lacks what the mode needs
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
  /** Bytes of the plan's tables; what it shares with the model and other plans is counted. */
  readonly byteLength: number;
  /** How often each of the values it draws from was seen, in no order; undefined where values are made. */
  readonly counts?: readonly number[];
  /**
   * One value: a pure function of `random`, which alone is advanced. Null where no training value matches (mode
   * `real_word` alone).
   * @throws AttemptsExhaustedError when no draw was acceptable · TextTooLongError beyond 65,536 code points
   */
  sample(random: RandomStream): string | null;
  /** As that of a `WordPlan`. */
  readonly write?: (random: RandomStream, out: ByteSink) => boolean;
}
