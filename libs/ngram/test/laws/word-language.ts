import { type NgramModel } from '../../src/model/ngram-model.js';
import { normalizeValue } from '../../src/model/case-folding.js';
import { type WordConstraints } from '../../src/sampling/constraints/word-constraints.js';

/** Every word of up to `maxLength` code points with the model's probability, by walking the counts. */
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

/** The constraints as a reader of the reference would test them, `excludeOriginals` aside. */
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
