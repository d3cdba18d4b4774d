import { type NgramModel } from '../../src/model/ngram-model.js';
import { normalizeValue } from '../../src/model/case-folding.js';
import { type WordConstraints } from '../../src/sampling/constraints/word-constraints.js';

/**
 * Returns every word of up to `maxLength` code points with its probability in the model, computed from the
 * counts of all paths.
 */
export function wordsUpTo(model: NgramModel, maxLength: number): Map<string, number> {
  const { firstEdge, edgeSymbol, edgeTarget, edgeCumulative } = model.graph;
  const words = new Map<string, number>();
  const visit = (state: number, word: string, length: number, probability: number): void => {
    const end = firstEdge[state + 1] ?? 0;
    const total = edgeCumulative[end - 1] ?? 0;
    let before = 0;
    for (let edge = firstEdge[state] ?? 0; edge < end; edge += 1) {
      const cumulative = edgeCumulative[edge] ?? 0;
      const part = (probability * (cumulative - before)) / total;
      const symbol = edgeSymbol[edge] ?? 0;
      before = cumulative;
      if (symbol === 0) {
        words.set(word, (words.get(word) ?? 0) + part);
        continue;
      }
      const text = (model.tokenType === 'word' && word !== '' ? ' ' : '') + model.alphabet.text(symbol);
      const longer = length + [...text].length;
      if (longer <= maxLength) visit(edgeTarget[edge] ?? 0, word + text, longer, part);
    }
  };
  visit(0, '', 0, 1);
  return words;
}

/**
 * Returns whether a word meets the constraints, checked in the simplest possible way. Ignores
 * `excludeOriginals`.
 */
export function meets(word: string, constraints: WordConstraints): boolean {
  const { startsWith = '', endsWith = '', contains = '', minLength = 0, maxLength = Infinity } = constraints;
  const length = [...word].length;
  return (
    word.startsWith(normalizeValue(startsWith, 'preserve')) &&
    word.endsWith(normalizeValue(endsWith, 'preserve')) &&
    word.includes(normalizeValue(contains, 'preserve')) &&
    length >= minLength &&
    length <= maxLength
  );
}
