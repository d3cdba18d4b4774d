import { compileCharWord } from './word/compile-char-word.js';
import { compilePhrase } from './phrase/compile-phrase.js';
import type { DrawBudget } from './draw-budget.js';
import type { SampledModel } from '../model/ngram-model.js';
import { checkConstraints, type WordConstraints } from './constraints/word-constraints.js';
import type { WordPlan } from './word-plan.js';

export interface CompileWordOptions {
  /** Size budget of a plan, in transitions (25 bytes each, as much again while compiling). */
  readonly maxPlanEdges?: number;
}

export const DEFAULT_MAX_EDGES = 4_194_304;

/**
 * Compiles a plan that samples the model's words under constraints, exactly: each word has the model's probability
 * divided by that of all legal words. A word of a model over words is one of its values: words with a space between.
 * @throws UnsatisfiableError when there is no such word · PlanTooLargeError beyond the budget
 * @param budget what the plan shares with others, besides its own
 * Free plans cost next to nothing; constrained ones milliseconds: keep them.
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
