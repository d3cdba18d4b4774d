import type { ConstraintProduct } from './constraint-product.js';
import { PlanTooLargeError } from '../../errors.js';
import type { ItemAutomaton } from './word-automaton.js';
import { END_OF_WORD } from '../chain/word-chain.js';

/** The maximum number of edge visits before the iteration fails. They take a fraction of a second. */
const MAX_VISITS = 1 << 26;
/** The cost of a node in each round, counted in edge visits, in addition to the visits of its edges. */
const NODE_COST = 8;
const CONVERGED = 1e-14;
/** The smallest accepted probability except 0. Products with smaller ones may be inexact in a double. */
const SMALLEST = 1e-280;

/**
 * Returns, for every node, the probability that an unconstrained walk of the model from this node ends at a
 * permitted end. It is exactly 0 if no walk from the node ends at one. Goes through the layers once, from the
 * last to the first. A layer with edges to itself is a system of linear equations, which is solved by
 * Gauss-Seidel iteration from below.
 * @throws PlanTooLargeError if a probability is too small for a double, or if the iteration converges too
 * slowly
 */
export function finishProbabilities(product: ConstraintProduct, automaton: ItemAutomaton): Float64Array {
  const finish = new Float64Array(product.nodeCount);
  if (product.loopsFrom < product.nodeCount) solveLoop(product, automaton, finish);
  for (let node = product.loopsFrom - 1; node >= 0; node -= 1) {
    const probability = fromEdges(product, finish, node);
    if (probability > 0 && probability < SMALLEST) throw tooImprobable();
    finish[node] = probability;
  }
  return finish;
}

function solveLoop(product: ConstraintProduct, automaton: ItemAutomaton, finish: Float64Array): void {
  const { loopsFrom, nodeCount, firstEdge } = product;
  const open: number[] = [];
  for (let node = nodeCount - 1; node >= loopsFrom; node -= 1) {
    // Every state of a model can end, so the probability is 1 if every end is permitted.
    if (automaton.acceptsForEver(product.automatonState[node] as number)) finish[node] = 1;
    else open.push(node);
  }
  const edges = (firstEdge[nodeCount] as number) - (firstEdge[loopsFrom] as number);
  for (let visits = 0; visits <= MAX_VISITS; visits += edges + (open.length + 1) * NODE_COST) {
    let largestChange = 0;
    for (const node of open) {
      const before = finish[node] as number;
      const after = fromEdges(product, finish, node);
      if (after === before) continue;
      if (after < SMALLEST) throw tooImprobable();
      finish[node] = after;
      const change = (after > before ? after - before : before - after) / after;
      if (change > largestChange) largestChange = change;
    }
    if (largestChange <= CONVERGED) return;
  }
  throw new PlanTooLargeError(
    'the probability of the constraints takes too long to compute for this model; set max_length',
  );
}

function fromEdges(product: ConstraintProduct, finish: Float64Array, node: number): number {
  const { firstEdge, target, probability } = product;
  let sum = 0;
  for (let edge = firstEdge[node] as number; edge < (firstEdge[node + 1] as number); edge += 1) {
    const to = target[edge] as number;
    sum += (probability[edge] as number) * (to === END_OF_WORD ? 1 : (finish[to] as number));
  }
  return sum;
}

function tooImprobable(): PlanTooLargeError {
  return new PlanTooLargeError(
    'the constraint is too improbable for this model; shorten contains or ends_with',
  );
}
