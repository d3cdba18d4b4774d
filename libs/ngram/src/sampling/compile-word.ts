import { compileCharWord } from './word/compile-char-word.js';
import { compilePhrase } from './phrase/compile-phrase.js';
import type { DrawBudget } from './draw-budget.js';
import type { SampledModel } from '../model/ngram-model.js';
import { checkConstraints, type WordConstraints } from './constraints/word-constraints.js';
import type { WordPlan } from './word-plan.js';

export interface CompileWordOptions {
  /** The maximum size of a plan in transitions. Each takes 25 bytes, and twice as much during compilation. */
  readonly maxPlanEdges?: number;
}

export const DEFAULT_MAX_EDGES = 4_194_304;

/**
 * Compiles a plan that samples the words of a model under constraints. Sampling is exact: each word has its
 * probability in the model, divided by the total probability of all permitted words. If the model's symbols
 * are words, a sampled word is a phrase: one of the model's values, with spaces between its words.
 *
 * Plans without constraints cost almost nothing. Constrained plans take milliseconds to compile, so keep
 * them.
 * @param budget is shared with other plans and applies in addition to the plan's own limits
 * @throws UnsatisfiableError if a constraint is invalid, or if no word is permitted
 * @throws PlanTooLargeError if the plan exceeds the budget
 */
export function compileWord(
  model: SampledModel,
  constraints: WordConstraints,
  options: CompileWordOptions = {},
  budget?: DrawBudget,
): WordPlan {
  const { graph, alphabet, originals } = model;
  const checked = checkConstraints(constraints);
  const maxEdges = options.maxPlanEdges ?? DEFAULT_MAX_EDGES;
  return alphabet.tokenType === 'char'
    ? compileCharWord({ graph, alphabet, originals }, checked, maxEdges, budget)
    : compilePhrase({ graph, alphabet, originals }, checked, maxEdges, budget);
}
