import { RandomStream, rootKey } from '@understudy/random';
import { conditionedChain } from './conditioned-chain.js';
import { buildProduct, type ProductStart } from './constraint-product.js';
import { AttemptsExhaustedError, PlanTooLargeError, UnsatisfiableError } from './errors.js';
import { finishProbabilities } from './finish-probability.js';
import { findEdge, type ModelGraph } from './model-graph.js';
import type { NgramModel } from './ngram-model.js';
import type { Originals } from './originals.js';
import { WordAutomaton } from './word-automaton.js';
import { freeChain, mostlyEndsWithin, type WordChain } from './word-chain.js';
import { type ResolvedConstraints, resolveConstraints, type WordConstraints } from './word-constraints.js';
import { WordPlan } from './word-plan.js';

export interface CompileWordOptions {
  /** Size budget of a plan, in transitions (14 bytes each, about twice that while compiling). */
  readonly maxPlanEdges?: number;
}

const DEFAULT_MAX_EDGES = 4_194_304;
/**
 * A max_length that nearly every word keeps anyway is kept by drawing again, which is exact too and saves a layer
 * a position (varchar(255) on a model of names).
 */
const RARELY_TOO_LONG = 0.95;
/** The least share of acceptable lengths at which drawing again is still better than no plan. */
const OFTEN_TOO_LONG = 0.02;
const FEW_LAYERS = 16;

/**
 * Compiles a plan that samples the model's words under constraints, exactly: each word has the model's probability
 * divided by that of all legal words.
 * @throws UnsatisfiableError when there is no such word · PlanTooLargeError beyond the budget
 * Free plans cost next to nothing; constrained ones milliseconds: keep them.
 */
export function compileWord(
  model: NgramModel,
  constraints: WordConstraints,
  options: CompileWordOptions = {},
): WordPlan {
  const { graph } = model;
  const resolved = resolveConstraints(graph, constraints);
  const originals = constraints.excludeOriginals === true ? originalsOf(model) : undefined;
  const { chain, startNode } = chainFor(graph, resolved, options.maxPlanEdges ?? DEFAULT_MAX_EDGES);
  const plan = new WordPlan({
    chain,
    startNode,
    symbols: graph.symbols,
    prefix: resolved.prefix.map((symbol) => graph.symbols[symbol - 1] as number),
    maxLength: resolved.maxLength,
    originals,
  });
  if (originals !== undefined) requireNewWord(plan);
  return plan;
}

function chainFor(
  graph: ModelGraph,
  constraints: ResolvedConstraints,
  maxEdges: number,
): { chain: WordChain; startNode: number } {
  const { prefix, infix, suffix, minLength, maxLength } = constraints;
  const modelState = followPrefix(graph, prefix);
  const minRest = Math.max(0, minLength - prefix.length);
  const maxRest = maxLength - prefix.length;
  // Without a START → END edge every word has a symbol, so that a minimum of 1 asks for nothing.
  const isMinFree =
    minRest === 0 || (minLength === 1 && prefix.length === 0 && findEdge(graph, modelState, 0) < 0);

  const unbounded = (): { chain: WordChain; startNode: number } => {
    if (infix.length === 0 && suffix.length === 0 && isMinFree) {
      return { chain: freeChain(graph), startNode: modelState };
    }
    return { chain: constrainedChain(Infinity), startNode: 0 };
  };
  const constrainedChain = (upTo: number): WordChain => {
    const automaton = new WordAutomaton(infix, suffix);
    const automatonState = prefix.reduce((state, symbol) => automaton.next(state, symbol), 0);
    const start: ProductStart = { modelState, automatonState, minRest, maxRest: upTo };
    const product = buildProduct(graph, automaton, start, maxEdges);
    const finish = finishProbabilities(product, automaton);
    if (finish[0] === 0) throw new UnsatisfiableError('no word of the model meets the constraints');
    return conditionedChain(product, finish);
  };

  if (maxRest === Infinity) return unbounded();
  const loose = maxRest > FEW_LAYERS ? orTooLarge(unbounded) : undefined;
  const isChain = loose !== undefined && !(loose instanceof PlanTooLargeError);
  if (isChain && mostlyEndsWithin(loose.chain, loose.startNode, maxRest, RARELY_TOO_LONG)) return loose;
  const layered = orTooLarge(() => ({ chain: constrainedChain(maxRest), startNode: 0 }));
  if (!(layered instanceof PlanTooLargeError)) return layered;
  if (isChain && mostlyEndsWithin(loose.chain, loose.startNode, maxRest, OFTEN_TOO_LONG)) return loose;
  throw layered;
}

/** Every word begins with the prefix: sampling starts where it leads. */
function followPrefix(graph: ModelGraph, prefix: readonly number[]): number {
  return prefix.reduce((state, symbol) => {
    const edge = findEdge(graph, state, symbol);
    if (edge < 0) throw new UnsatisfiableError('no word of the model begins with starts_with');
    return graph.edgeTarget[edge] as number;
  }, 0);
}

function orTooLarge<T>(make: () => T): T | PlanTooLargeError {
  try {
    return make();
  } catch (error) {
    if (error instanceof PlanTooLargeError) return error;
    throw error;
  }
}

function originalsOf(model: NgramModel): Originals {
  if (model.originals === 'none') {
    throw new UnsatisfiableError('the model carries no originals, so exclude_originals cannot be kept');
  }
  if (model.originals === 'locked') {
    throw new UnsatisfiableError(
      'the model was read without the key of its originals; exclude_originals needs it',
    );
  }
  return model.originals;
}

/** A model that only repeats its training values is found out here, not at row one. */
function requireNewWord(plan: WordPlan): void {
  try {
    plan.sample(new RandomStream().seek(rootKey('ngram', 0), 0));
  } catch (error) {
    if (!(error instanceof AttemptsExhaustedError)) throw error;
    throw new UnsatisfiableError(
      `${error.attempts} draws gave only training values: exclude_originals leaves next to nothing of this model`,
    );
  }
}
