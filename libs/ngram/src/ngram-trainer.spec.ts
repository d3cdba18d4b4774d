import { compileWord } from './compile-word.js';
import { TrainingError } from './errors.js';
import { edgeTotal } from './model-graph.js';
import { NgramTrainer } from './ngram-trainer.js';
import { readModel } from './read-model.js';
import type { TrainOptions } from './train-options.js';
import { RandomStream, rootKey } from '@understudy/random';

function train(
  values: readonly (readonly [string, number])[],
  options: Partial<TrainOptions> = {},
): Uint8Array {
  const trainer = new NgramTrainer({ order: 3, name: 'test', locale: 'xx_XX', ...options });
  for (const [value, weight] of values) trainer.add(value, weight);
  return trainer.finish();
}

/** All words of a model that has no cycle. */
function language(bytes: Uint8Array): string[] {
  const { graph } = readModel(bytes);
  const words: string[] = [];
  const visit = (state: number, word: string): void => {
    for (let edge = graph.firstEdge[state] ?? 0; edge < (graph.firstEdge[state + 1] ?? 0); edge += 1) {
      const symbol = graph.edgeSymbol[edge] ?? 0;
      if (symbol === 0) words.push(word);
      else visit(graph.edgeTarget[edge] ?? 0, word + String.fromCodePoint(graph.symbols[symbol - 1] ?? 0));
    }
  };
  visit(0, '');
  return words.sort();
}

describe('NgramTrainer', () => {
  test('joins values where they share a context, and nowhere else', () => {
    const values = [
      ['abcd', 1],
      ['xbcy', 1],
    ] as const;
    expect(language(train(values, { order: 3 }))).toEqual(['abcd', 'abcy', 'xbcd', 'xbcy']);
    expect(language(train(values, { order: 4 }))).toEqual(['abcd', 'xbcy']);
  });

  test('the same multiset gives the same bytes in any order, also split into repeats', () => {
    const values = [
      ['anna', 3],
      ['hannah', 2],
      ['ana', 5],
      ['\u{1f600}é', 1],
    ] as const;
    const bytes = train(values);
    expect(train([...values].reverse())).toEqual(bytes);
    expect(train([['anna', 1], ...values.slice(1), ['anna', 2]])).toEqual(bytes);
  });

  test('min_values keeps transitions of that many distinct values and removes what then leads nowhere', () => {
    const values = [
      ['ab', 1],
      ['abc', 1],
      ['abd', 50], // weight is not distinctness
      ['zz', 1],
    ] as const;
    expect(language(train(values.slice(0, 3), { order: 4 }))).toContain('abd');
    // a (3 values) and b (3) survive, ab → END, c, d have one value each: nothing can end.
    expect(() => train(values, { order: 2, minValues: 3 })).toThrow(TrainingError);
    expect(language(train([...values, ['bab', 1], ['aab', 1]], { order: 3, minValues: 2 }))).toEqual(['ab']);
  });

  test('a transition that one value holds twice counts as one value', () => {
    const values = [
      ['abab', 1],
      ['ab', 1],
    ] as const;
    // b → a occurs in one value only; a → b and b → END in two.
    expect(language(train(values, { order: 2, minValues: 2 }))).toEqual(['ab']);
  });

  test('a repeat is one distinct value, also when case folding makes it one', () => {
    const trainer = new NgramTrainer({
      order: 3,
      name: 'n',
      locale: 'l',
      minValues: 2,
      caseFolding: 'title',
    });
    trainer.add('ANNA');
    trainer.add('anna', 4);
    expect(trainer.report()).toMatchObject({
      distinctValues: 1,
      totalWeight: 5,
      shortestValue: 4,
      longestValue: 4,
    });
    expect(() => trainer.finish()).toThrow(/1 distinct values/);
  });

  test('empty and overlong values are counted and left out', () => {
    const trainer = new NgramTrainer({ order: 2, name: 'n', locale: 'l' });
    trainer.add('');
    trainer.add('x'.repeat(65_537));
    expect(() => trainer.finish()).toThrow(TrainingError);
    trainer.add('x'.repeat(65_536));
    expect(trainer.report()).toMatchObject({ emptyValues: 1, overlongValues: 1, longestValue: 65_536 });
    expect(readModel(trainer.finish()).ngramCount).toBe(3);
  });

  test('counts beyond 32 bits are scaled down, none to zero', () => {
    const { graph } = readModel(
      train([
        ['a', 2 ** 40],
        ['b', 2 ** 39],
        ['c', 1],
      ]),
    );
    expect(edgeTotal(graph, 0)).toBeLessThanOrEqual(0xffffffff);
    const [a = 0, b = 0, c = 0] = graph.edgeCumulative;
    expect(a / (b - a)).toBeCloseTo(2, 6);
    expect(c - b).toBe(1);
  });

  test('a model knows what it was made from', () => {
    const bytes = train([['abc', 2]], { minValues: 1, licence: 'CC0-1.0', source: 'Ünïcode \u{1f600}' });
    expect(readModel(bytes)).toMatchObject({
      id: 'xx_XX/test',
      name: 'test',
      locale: 'xx_XX',
      order: 3,
      tokenType: 'char',
      tokenCount: 3,
      ngramCount: 4,
      stateCount: 4,
      licence: 'CC0-1.0',
      source: 'Ünïcode \u{1f600}',
      modes: ['word'],
      distinctValues: 1,
      totalWeight: 2,
      byteLength: bytes.length,
    });
  });

  test('mixed scripts, control characters and code points beyond the BMP come back as they went in', () => {
    const odd = ['\u{1f468}\u200d\u{1f469}', 'שלום', '\u0000\u0001\t', 'éè', '漢字かな', '\u{10ffff}'];
    const plan = compileWord(
      readModel(
        train(
          odd.map((value) => [value, 1] as const),
          { order: 8 },
        ),
      ),
      {},
    );
    const random = new RandomStream();
    const seen = new Set(Array.from({ length: 300 }, (_, i) => plan.sample(random.seek(rootKey('t', 1), i))));
    expect([...seen].sort()).toEqual([...odd].sort());
  });

  test.each([
    [{ order: 1 }, 'order'],
    [{ order: 9 }, 'order'],
    [{ minValues: 0 }, 'minValues'],
    [{ fingerprintKey: new Uint8Array(8) }, 'fingerprintKey'],
  ])('bad options are refused by name', (options, name) => {
    expect(() => train([['a', 1]], options)).toThrow(name);
  });

  test.each([0, -1, 1.5, Number.NaN, Infinity])('the weight %p is refused', (weight) => {
    expect(() => train([['a', weight]])).toThrow(TrainingError);
  });
});
