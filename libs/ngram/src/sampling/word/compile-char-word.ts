import { PlanTooLargeError, UnsatisfiableError } from '../../errors.js';
import type { CharAlphabet } from '../../model/alphabet.js';
import { findEdge, type ModelGraph } from '../../model/model-graph.js';
import type { Originals } from '../../model/originals.js';
import { CharPlan } from './char-plan.js';
import type { DrawBudget } from '../draw-budget.js';
import type { SampledModel } from '../../model/ngram-model.js';
import { conditionedChain } from '../constraints/conditioned-chain.js';
import { buildProduct, type ProductStart } from '../constraints/constraint-product.js';
import { finishProbabilities } from '../constraints/finish-probability.js';
import { mostlyEndsWithin } from '../chain/mostly-ends-within.js';
import { chainWithoutOriginals } from '../originals/chain-without-originals.js';
import { mostlyDrawsAgain, originalsToExclude, requireNewWord } from '../originals/originals-to-exclude.js';
import { WordAutomaton } from '../constraints/word-automaton.js';
import { freeChain, freeStart, type WordChain } from '../chain/word-chain.js';
import type { CheckedConstraints } from '../constraints/word-constraints.js';
import type { WordPlan } from '../word-plan.js';

type CharModel = SampledModel & { readonly alphabet: CharAlphabet };

/**
 * The smallest share of words with an acceptable length at which retries are preferred to a chain with a
 * layer of nodes per position. Retries are exact too. An example is varchar(255) and a model of names.
 */
const RARELY_TOO_LONG = 0.95;
/**
 * The smallest share of words with an acceptable length at which retries are accepted if there is no better
 * plan.
 */
const OFTEN_TOO_LONG = 0.02;
const FEW_LAYERS = 16;

/** The texts of the constraints as symbols of the model. */
interface SymbolConstraints {
  readonly prefix: readonly number[];
  readonly suffix: readonly number[];
  readonly infix: readonly number[];
  readonly minLength: number;
  readonly maxLength: number;
}

interface CharChain {
  readonly chain: WordChain;
  readonly startNode: number;
}

/** Like `compileWord`, for a model over code points. */
export function compileCharWord(
  model: CharModel,
  constraints: CheckedConstraints,
  maxEdges: number,
  budget?: DrawBudget,
): WordPlan {
  const { graph, alphabet } = model;
  const originals = constraints.excludeOriginals ? originalsToExclude(model.originals) : undefined;
  const resolved = {
    prefix: symbolsOf(alphabet, constraints.prefix, 'starts_with'),
    suffix: symbolsOf(alphabet, constraints.suffix, 'ends_with'),
    infix: symbolsOf(alphabet, constraints.infix, 'contains'),
    minLength: constraints.minLength,
    maxLength: constraints.maxLength,
  };
  const base = chainFor(graph, resolved, maxEdges);
  const planOf = (chain: CharChain, drawnAgain: Originals | undefined) =>
    new CharPlan({
      ...chain,
      points: alphabet.points,
      prefix: resolved.prefix,
      maxLength: resolved.maxLength,
      originals: drawnAgain,
      budget,
    });
  if (originals === undefined) return planOf(base, undefined);
  if (originals.kind === 'fingerprints') {
    const plan = planOf(base, originals);
    if (!mostlyDrawsAgain(plan)) return plan;
  }
  const { prefix } = resolved;
  const text = prefix.map((symbol) => alphabet.text(symbol)).join('');
  const excluded = { originals, alphabet, text, prefix, gap: '', maxEdges };
  const novel = chainWithoutOriginals(base.chain, freeStart(base.chain, base.startNode), excluded);
  const plan = planOf(novel ?? base, novel?.isComplete ? undefined : originals);
  // If retries enforce the length, a chain without originals may still generate only words that are too long.
  if (!novel?.isComplete || resolved.maxLength !== Infinity) requireNewWord(plan);
  return plan;
}

function chainFor(graph: ModelGraph, constraints: SymbolConstraints, maxEdges: number): CharChain {
  const { prefix, infix, suffix, minLength, maxLength } = constraints;
  const modelState = followPrefix(graph, prefix);
  const minRest = Math.max(0, minLength - prefix.length);
  const maxRest = maxLength - prefix.length;
  // Without a START → END edge every word has a symbol, so a minimum of 1 has no effect.
  const isMinFree =
    minRest === 0 || (minLength === 1 && prefix.length === 0 && findEdge(graph, modelState, 0) < 0);

  const unbounded = (): CharChain => {
    if (infix.length === 0 && suffix.length === 0 && isMinFree) {
      return { chain: freeChain(graph), startNode: modelState };
    }
    return constrainedChain(Infinity);
  };
  const constrainedChain = (upTo: number): CharChain => {
    const automaton = new WordAutomaton(infix, suffix);
    const automatonState = prefix.reduce((state, symbol) => automaton.next(state, symbol), 0);
    const start: ProductStart = { modelState, automatonState, minRest, maxRest: upTo };
    const product = buildProduct(graph, automaton, start, () => 1, maxEdges);
    const finish = finishProbabilities(product, automaton);
    if (finish[0] === 0) throw new UnsatisfiableError('no word of the model meets the constraints');
    return { chain: conditionedChain(product, finish), startNode: 0 };
  };

  if (maxRest === Infinity) return unbounded();
  const loose = maxRest > FEW_LAYERS ? orTooLarge(unbounded) : undefined;
  const isChain = loose !== undefined && !(loose instanceof PlanTooLargeError);
  if (isChain && mostlyEndsWithin(loose.chain, loose.startNode, maxRest, RARELY_TOO_LONG)) return loose;
  const layered = orTooLarge(() => constrainedChain(maxRest));
  if (!(layered instanceof PlanTooLargeError)) return layered;
  if (isChain && mostlyEndsWithin(loose.chain, loose.startNode, maxRest, OFTEN_TOO_LONG)) return loose;
  throw layered;
}

function symbolsOf(alphabet: CharAlphabet, points: readonly number[], name: string): number[] {
  return points.map((point, i) => {
    const symbol = alphabet.symbolOf(point);
    if (symbol < 0)
      throw new UnsatisfiableError(`the model never writes character ${i + 1} of ${name}`, name);
    return symbol;
  });
}

/** Returns the state after the prefix, where sampling starts. */
function followPrefix(graph: ModelGraph, prefix: readonly number[]): number {
  return prefix.reduce((state, symbol) => {
    const edge = findEdge(graph, state, symbol);
    if (edge < 0) {
      throw new UnsatisfiableError('no word of the model starts with starts_with', 'starts_with');
    }
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
