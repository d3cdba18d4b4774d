import { RandomStream, rootKey } from '@understudy/random';
import { AttemptsExhaustedError } from '../../errors.js';
import type { Alphabet } from '../../model/alphabet.js';
import { edgeCount, edgeTotal, END_SYMBOL, findEdge, type ModelGraph } from '../../model/model-graph.js';
import type { Originals, OriginalValues } from '../../model/originals.js';
import { compileWord } from '../../sampling/compile-word.js';
import { eachOriginal } from '../../sampling/originals/original-symbols.js';

export interface NovelMassModel {
  readonly graph: ModelGraph;
  readonly alphabet: Alphabet;
  readonly originals: Originals;
}

const DRAWS = 4096;
/**
 * The maximum number of UTF-16 units to draw in total. For very long values, fewer than `DRAWS` values are
 * drawn.
 */
const MAX_DRAWN = 1 << 21;

/**
 * Returns the probability that a word drawn without constraints is not a training value, rounded to six
 * digits. It is an exact sum if the values are known. Otherwise it is the share of such words in 4,096 draws
 * with a fixed key. Null if the model almost never ends a word.
 */
export function novelMass(model: NovelMassModel): number | null {
  const { originals } = model;
  const mass = originals.kind === 'values' ? exactMass(model, originals) : sampledMass(model, originals);
  if (mass === null) return null;
  return Math.round(Math.min(1, Math.max(0, mass)) * 1e6) / 1e6;
}

function exactMass({ graph, alphabet }: NovelMassModel, values: OriginalValues): number {
  let known = 0;
  eachOriginal(values, alphabet, '', (symbols, length) => {
    let probability = 1;
    let state = 0;
    for (let i = 0; i <= length && probability > 0; i += 1) {
      const edge = findEdge(graph, state, i === length ? END_SYMBOL : (symbols[i] as number));
      probability *= edge < 0 ? 0 : edgeCount(graph, state, edge) / edgeTotal(graph, state);
      state = edge < 0 ? 0 : (graph.edgeTarget[edge] as number);
    }
    known += probability;
  });
  return 1 - known;
}

function sampledMass({ graph, alphabet }: NovelMassModel, originals: Originals): number | null {
  const plan = compileWord({ graph, alphabet, originals }, {});
  const random = new RandomStream();
  const key = rootKey('novel mass', 0);
  let units = new Uint16Array(256);
  let [novel, draws, drawn] = [0, 0, 0];
  try {
    for (; draws < DRAWS && drawn < MAX_DRAWN; draws += 1) {
      const word = plan.sample(random.seek(key, draws));
      if (word.length > units.length) units = new Uint16Array(word.length * 2);
      for (let at = 0; at < word.length; at += 1) units[at] = word.charCodeAt(at);
      if (!originals.has(units, word.length)) novel += 1;
      drawn += word.length;
    }
  } catch (error) {
    if (!(error instanceof AttemptsExhaustedError)) throw error;
  }
  return draws === 0 ? null : novel / draws;
}
