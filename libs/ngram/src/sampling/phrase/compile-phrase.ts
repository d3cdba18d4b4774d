import { RandomStream, rootKey } from '@understudy/random';
import { PlanTooLargeError, UnsatisfiableError } from '../../errors.js';
import type { WordAlphabet } from '../../model/alphabet.js';
import type { ModelGraph } from '../../model/model-graph.js';
import type { Originals } from '../../model/originals.js';
import type { DrawBudget } from '../draw-budget.js';
import type { SampledModel } from '../../model/ngram-model.js';
import { conditionedChain } from '../constraints/conditioned-chain.js';
import { buildProduct } from '../constraints/constraint-product.js';
import { finishProbabilities } from '../constraints/finish-probability.js';
import { chainWithoutOriginals } from '../originals/chain-without-originals.js';
import { mostlyDrawsAgain, originalsToExclude, requireNewWord } from '../originals/originals-to-exclude.js';
import { PhraseAutomaton } from '../constraints/phrase-automaton.js';
import { NO_FILTER, type PhraseFilter } from './phrase-filter.js';
import { PhrasePlan } from './phrase-plan.js';
import { type PhraseStart, phraseStart } from './phrase-start.js';
import { WordAutomaton } from '../constraints/word-automaton.js';
import { freeChain, freeStart, type WalkStart, type WordChain } from '../chain/word-chain.js';
import type { CheckedConstraints } from '../constraints/word-constraints.js';

type PhraseModel = SampledModel & { readonly alphabet: WordAlphabet };

export interface PhraseConstraints extends CheckedConstraints {
  readonly minWords?: number;
  readonly maxWords?: number;
}

/** The number of draws from which the share of acceptable phrases is estimated. */
const TRIALS = 1000;
/**
 * If at least this share of phrases is acceptable, the others are retried. That is exact and needs no table.
 */
const OFTEN_ENOUGH = 0.05;
/**
 * The smallest share at which retries are accepted if there is no better plan. With this share, all attempts
 * to generate a phrase fail once in 10^21 phrases.
 */
const SELDOM = 0.005;

interface PhraseChain {
  readonly chain: WordChain;
  readonly start: WalkStart;
  /** The constraints that the chain does not enforce. */
  readonly filter: PhraseFilter;
}

/**
 * Like `compileWord`, for a model over words, with additional bounds on the number of words. A phrase is a
 * value of such a model. If many phrases meet the constraints, the plan enforces them by retries. Otherwise
 * it uses a product of model and constraints. Both methods are exact.
 */
export function compilePhrase(
  model: PhraseModel,
  constraints: PhraseConstraints,
  maxEdges: number,
  budget?: DrawBudget,
): PhrasePlan {
  const { graph, alphabet } = model;
  const originals = constraints.excludeOriginals ? originalsToExclude(model.originals) : undefined;
  const prefix = textOf(constraints.prefix);
  const start = phraseStart(graph, alphabet, prefix);
  const chosen = chooseChain(model, start, constraints, maxEdges);
  const planOf = (chain: Pick<PhraseChain, 'chain' | 'start'>, drawnAgain: Originals | undefined) =>
    new PhrasePlan({
      chain: chain.chain,
      start: chain.start,
      filter: chosen.filter,
      alphabet,
      prefix: start.prefix,
      originals: drawnAgain,
      budget,
    });
  if (originals === undefined) return planOf(chosen, undefined);
  if (originals.kind === 'fingerprints') {
    const plan = planOf(chosen, originals);
    if (!mostlyDrawsAgain(plan)) return plan;
  }
  const novel = withoutOriginals(chosen, start, alphabet, originals, prefix, maxEdges);
  const plan = planOf(novel ?? chosen, novel?.isComplete ? undefined : originals);
  if (!novel?.isComplete || chosen.filter !== NO_FILTER) requireNewWord(plan);
  return plan;
}

/**
 * Tries three chains: the model itself, a product with only contains and ends_with, and a product that also
 * includes the bounds of the length and of the number of words. Returns the first chain with a share of
 * acceptable phrases of at least `OFTEN_ENOUGH`. If there is none, returns the last chain with a share of at
 * least `SELDOM`.
 */
function chooseChain(
  { graph, alphabet }: PhraseModel,
  start: PhraseStart,
  constraints: PhraseConstraints,
  maxEdges: number,
): PhraseChain {
  const loose = {
    chain: freeChain(graph),
    start: { node: start.state, firstEdge: start.firstEdge, endEdge: start.endEdge },
    filter: filterOf(constraints),
  };
  let best: PhraseChain | undefined;
  let refusal: PlanTooLargeError | undefined;
  const product = (kept: PhraseConstraints) => () =>
    productChain(graph, alphabet, start, kept, loose.filter, maxEdges);
  const hasTexts = constraints.infix.length > 0 || constraints.suffix.length > 0;
  for (const make of [
    () => loose,
    ...(hasTexts ? [product(withoutBounds(constraints))] : []),
    product(constraints),
  ]) {
    try {
      const candidate = make();
      if (candidate.filter === NO_FILTER) return candidate;
      const accepted = trial(candidate, alphabet, start.prefix);
      if (accepted >= OFTEN_ENOUGH) return candidate;
      if (accepted >= SELDOM) best = candidate;
    } catch (error) {
      if (!(error instanceof PlanTooLargeError)) throw error;
      refusal = error;
    }
  }
  if (best !== undefined) return best;
  throw (
    refusal ?? new PlanTooLargeError('the constraints are too improbable together for this model; loosen one')
  );
}

function trial(
  { chain, start, filter }: PhraseChain,
  alphabet: WordAlphabet,
  prefix: readonly number[],
): number {
  const plan = new PhrasePlan({
    chain,
    start,
    filter,
    alphabet,
    prefix,
    originals: undefined,
    budget: undefined,
  });
  return plan.acceptedShare(new RandomStream().seek(rootKey('ngram trial', 0), 0), TRIALS);
}

function withoutBounds({ infix, suffix, prefix, excludeOriginals }: PhraseConstraints): PhraseConstraints {
  return { infix, suffix, prefix, excludeOriginals, minLength: 0, maxLength: Infinity };
}

/**
 * Returns the product of model, automaton and position. Positions count words if the number of words is
 * bounded, otherwise code points.
 * @param filter all constraints that a phrase must meet
 */
function productChain(
  graph: ModelGraph,
  alphabet: WordAlphabet,
  start: PhraseStart,
  constraints: PhraseConstraints,
  filter: PhraseFilter,
  maxEdges: number,
): PhraseChain {
  const { infix, suffix, minLength, maxLength, minWords, maxWords } = constraints;
  const automaton = new PhraseAutomaton(alphabet, new WordAutomaton(infix, suffix));
  let automatonState = 0;
  let length = 0;
  start.prefix.forEach((symbol, i) => {
    automatonState = automaton.next(automatonState, symbol, i === 0);
    length += alphabet.lengthOf(symbol) + (i === 0 ? 0 : 1);
  });
  const isByWords = minWords !== undefined || maxWords !== undefined;
  const taken = isByWords ? start.prefix.length : length;
  const least = isByWords ? (minWords ?? 0) : minLength;
  const most = isByWords ? (maxWords ?? Infinity) : maxLength;
  if (most < taken) throw new UnsatisfiableError('starts_with leaves no room for the rest', 'starts_with');
  const product = buildProduct(
    graph,
    automaton,
    {
      modelState: start.state,
      automatonState,
      minRest: Math.max(0, least - taken),
      maxRest: most - taken,
      ...(start.isFree ? {} : { firstEdge: start.firstEdge, endEdge: start.endEdge }),
    },
    isByWords ? () => 1 : (symbol, isFirst) => alphabet.lengthOf(symbol) + (isFirst ? 0 : 1),
    maxEdges,
  );
  const finish = finishProbabilities(product, automaton);
  if (finish[0] === 0) throw new UnsatisfiableError('no value of the model meets the constraints');
  const chain = conditionedChain(product, finish);
  const rest = {
    ...filter,
    contains: '',
    endsWith: '',
    ...(isByWords ? { minWords: 0, maxWords: Infinity } : {}),
    ...(!isByWords && (minLength > 0 || maxLength < Infinity) ? { minLength: 0, maxLength: Infinity } : {}),
  };
  return { chain, start: freeStart(chain, 0), filter: isFree(rest) ? NO_FILTER : rest };
}

/** @returns undefined if there are too many originals; `isComplete` is true if the chain generates none */
function withoutOriginals(
  { chain, start }: PhraseChain,
  { prefix }: PhraseStart,
  alphabet: WordAlphabet,
  originals: Originals,
  text: string,
  maxEdges: number,
): { chain: WordChain; start: WalkStart; isComplete: boolean } | undefined {
  const excluded = { originals, alphabet, text, prefix, gap: ' ', maxEdges };
  const novel = chainWithoutOriginals(chain, start, excluded);
  if (novel === undefined) return undefined;
  const { isComplete } = novel;
  return { chain: novel.chain, start: freeStart(novel.chain, novel.startNode), isComplete };
}

function filterOf(constraints: PhraseConstraints): PhraseFilter {
  const { minLength, maxLength, minWords = 0, maxWords = Infinity, infix, suffix } = constraints;
  const filter = {
    minLength,
    maxLength,
    minWords,
    maxWords,
    contains: textOf(infix),
    endsWith: textOf(suffix),
  };
  return isFree(filter) ? NO_FILTER : filter;
}

/**
 * Returns whether a filter accepts every phrase. A phrase is never empty, so a minimum of 1 has no effect.
 */
function isFree({ minLength, maxLength, minWords, maxWords, contains, endsWith }: PhraseFilter): boolean {
  const isBounded = minLength > 1 || maxLength < Infinity || minWords > 1 || maxWords < Infinity;
  return !isBounded && contains === '' && endsWith === '';
}

function textOf(points: readonly number[]): string {
  return points.map((point) => String.fromCodePoint(point)).join('');
}
