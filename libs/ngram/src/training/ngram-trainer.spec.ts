import { compileWord } from '../sampling/compile-word.js';
import { TrainingError } from '../errors.js';
import { edgeTotal } from '../model/model-graph.js';
import { NgramTrainer } from './ngram-trainer.js';
import { readModel } from '../file/read-model.js';
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

/** Returns all words that a model without cycles can generate. */
function language(bytes: Uint8Array): string[] {
  const { graph, alphabet } = readModel(bytes);
  const words: string[] = [];
  const visit = (state: number, word: string): void => {
    for (let edge = graph.firstEdge[state] ?? 0; edge < (graph.firstEdge[state + 1] ?? 0); edge += 1) {
      const symbol = graph.edgeSymbol[edge] ?? 0;
      if (symbol === 0) words.push(word);
      else visit(graph.edgeTarget[edge] ?? 0, word + alphabet.text(symbol));
    }
  };
  visit(0, '');
  return words.sort();
}

describe('NgramTrainer', () => {
  test('joins values only where they share a context', () => {
    const values = [
      ['abcd', 1],
      ['xbcy', 1],
    ] as const;
    expect(language(train(values, { order: 3 }))).toEqual(['abcd', 'abcy', 'xbcd', 'xbcy']);
    expect(language(train(values, { order: 4 }))).toEqual(['abcd', 'xbcy']);
  });

  test('the same multiset gives the same bytes in any order, even if repeats are added separately', () => {
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

  test('the order has no effect even if every path to END returns to earlier states', () => {
    const letters = Array.from({ length: 60 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
    const values = Array.from(letters, (_, i) => [letters.slice(i), 1] as const);
    expect(train([...values].reverse(), { order: 2 })).toEqual(train(values, { order: 2 }));
  });

  test('min_values keeps transitions that enough distinct values have, and removes dead ends', () => {
    const values = [
      ['ab', 1],
      ['abc', 1],
      ['abd', 50], // a large weight does not count as several values
      ['zz', 1],
    ] as const;
    expect(language(train(values.slice(0, 3), { order: 4 }))).toContain('abd');
    // The transitions to a and b occur in 3 values each, so they are kept. ab → END and the transitions to c
    // and d occur in one value each. So no word can end.
    expect(() => train(values, { order: 2, minValues: 3 })).toThrow(TrainingError);
    expect(language(train([...values, ['bab', 1], ['aab', 1]], { order: 3, minValues: 2 }))).toEqual(['ab']);
  });

  test('a transition that one value contains twice counts as one value', () => {
    const values = [
      ['abab', 1],
      ['ab', 1],
    ] as const;
    // b → a occurs in only one value; a → b and b → END occur in two.
    expect(language(train(values, { order: 2, minValues: 2 }))).toEqual(['ab']);
  });

  test('a repeat is one distinct value, even if only case folding makes it equal', () => {
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

  test('empty and overlong values are counted but not learned', () => {
    const trainer = new NgramTrainer({ order: 2, name: 'n', locale: 'l' });
    trainer.add('');
    trainer.add('x'.repeat(65_537));
    expect(() => trainer.finish()).toThrow(TrainingError);
    trainer.add('x'.repeat(65_536));
    expect(trainer.report()).toMatchObject({ emptyValues: 1, overlongValues: 1, longestValue: 65_536 });
    expect(readModel(trainer.finish()).ngramCount).toBe(3);
  });

  test('counts beyond 32 bits are scaled down, none of them to zero', () => {
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

  test('a model records its training options', () => {
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
      modes: ['word', 'sentence', 'text', 'paragraph', 'poem', 'acrostic'],
      distinctValues: 1,
      totalWeight: 2,
      byteLength: bytes.length,
    });
  });

  test('mixed scripts, control characters and code points beyond the BMP are kept unchanged', () => {
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

  test('words of a value are separated by white space, and joined by one space', () => {
    const values = [
      ['  Senior\tdata engineer ', 2],
      ['Senior data\u00a0engineer', 1],
    ] as const;
    const model = readModel(train(values, { tokenType: 'word', originals: 'values' }));
    expect(model).toMatchObject({ distinctValues: 1, totalWeight: 3, tokenCount: 3, ngramCount: 4 });
    expect(compileWord(model, {}).sample(new RandomStream())).toBe('Senior data engineer');
  });

  test('prose is learned sentence by sentence over words, and word by word over code points', () => {
    const prose = 'The sea, the “Sea”! A ship—the ship.\n\nIt isn’t mine.';
    const learn = (tokenType: 'char' | 'word') => {
      const trainer = new NgramTrainer({ order: 3, name: 'n', locale: 'l', tokenType, originals: 'values' });
      for (const piece of prose.match(/[^]{1,5}/gu) ?? []) trainer.addText(piece);
      const { originals } = readModel(trainer.finish());
      if (typeof originals === 'string' || originals.kind !== 'values') throw new Error('expected values');
      const values = Array.from({ length: originals.size }, (_, i) => originals.texts.text(i));
      return { values, report: trainer.report() };
    };
    expect(learn('word').values).toEqual(['A ship—the ship', 'It isn’t mine', 'The sea, the Sea']);
    expect(learn('char').values).toEqual(['A', 'It', 'Sea', 'The', 'isn’t', 'mine', 'sea', 'ship', 'the']);
    expect(learn('word').report).toMatchObject({ sentences: 3, paragraphs: 2, distinctValues: 3 });
  });

  test('lengths that too few values have are not recorded', () => {
    const values = ['anna', 'nora', 'dora', 'aa', 'annamaria'].map((value) => [value, 9] as const);
    const { statistics, shortestValue, longestValue } = readModel(train(values, { order: 2, minValues: 3 }));
    expect([...statistics.lengths.pairs]).toEqual([4, 27]);
    expect([shortestValue, longestValue]).toEqual([4, 4]);
  });

  test('states ascend by their steps to END', () => {
    const values = ['hannah', 'johanna', 'nora', 'dorothea', 'ann'].map((value) => [value, 1] as const);
    const { graph } = readModel(train(values));
    const steps = (state: number): number => {
      const edges = Array.from(
        graph.edgeSymbol.subarray(graph.firstEdge[state], graph.firstEdge[state + 1]).keys(),
      );
      return Math.min(
        ...edges.map((i) => {
          const edge = (graph.firstEdge[state] ?? 0) + i;
          const target = graph.edgeTarget[edge] ?? 0;
          return graph.edgeSymbol[edge] === 0
            ? 1
            : target < state || state === 0
              ? 1 + steps(target)
              : Infinity;
        }),
      );
    };
    const all = Array.from({ length: graph.firstEdge.length - 2 }, (_, i) => steps(i + 1));
    expect(all.every(Number.isFinite)).toBe(true);
    expect(all).toEqual([...all].sort((x, y) => x - y));
  });

  describe.each(['char', 'word'] as const)('unusual values, over %ss', (tokenType) => {
    const odd: readonly [string, string][] = [
      ['a lone surrogate', 'a\ud800b'],
      ['control characters', 'a\u0001b\u0007\u007fc'],
      ['mixed scripts', 'abcабвαβγ漢字'],
      ['right to left', 'שלום-\u202eعليكم'],
      ['code points of four bytes', '\u{1f468}\u200d\u{1f469}\u{10ffff}'],
      ['a text that NFC changes', 'e\u0301\u1100\u1161'],
      ['the longest value', 'x'.repeat(65_536)],
      ['prototype names', '__proto__ constructor toString'],
    ];
    test.each(odd)(
      '%s is learned unchanged after NFC, as one value for any number of repeats',
      (_, value) => {
        const trainer = new NgramTrainer({
          order: 8,
          name: 'n',
          locale: 'l',
          tokenType,
          originals: 'values',
        });
        for (let i = 0; i < 5; i += 1) trainer.add(value);
        const model = readModel(trainer.finish());
        const words = value.normalize('NFC').replace(/\p{Surrogate}/gu, '\ufffd');
        const expected =
          tokenType === 'char'
            ? words
            : words
                .split(/[\s\p{Cc}]+/u)
                .filter(Boolean)
                .join(' ');
        if (expected === '') throw new Error('the case needs a non-empty value');
        if (value.length < 65_536) {
          expect(compileWord(model, {}).sample(new RandomStream().seek(rootKey('odd', 1), 0))).toBe(expected);
        }
        expect(model).toMatchObject({ distinctValues: 1, totalWeight: 5 });
        if (value.length < 65_536) {
          expect(() => compileWord(model, { excludeOriginals: true })).toThrow(/training values/);
        }
      },
    );

    test('empty columns are refused', () => {
      for (const values of [[], [''], tokenType === 'word' ? [' \t\n', ''] : ['', '']]) {
        const trainer = new NgramTrainer({ order: 3, name: 'n', locale: 'l', tokenType });
        for (const value of values) trainer.add(value);
        trainer.addText(' … \n\n');
        expect(() => trainer.finish()).toThrow('no non-empty values');
        expect(trainer.report().emptyValues).toBe(values.length);
      }
    });

    test('values of a megabyte are counted but not learned', () => {
      const trainer = new NgramTrainer({ order: 3, name: 'n', locale: 'l', tokenType });
      trainer.add('ab '.repeat(400_000));
      trainer.add('x'.repeat(2 ** 21));
      trainer.add('short');
      expect(trainer.report()).toMatchObject({ overlongValues: 2, distinctValues: 1, longestValue: 5 });
      expect(readModel(trainer.finish()).longestValue).toBe(5);
    });
  });

  test('more distinct transitions than the budget are refused with advice', () => {
    const trainer = new NgramTrainer({ order: 4, name: 'n', locale: 'l', maxTransitions: 100 });
    const learn = () => {
      for (let i = 0; i < 1000; i += 1) trainer.add(String(i * 7919));
    };
    expect(learn).toThrow(TrainingError);
    expect(learn).toThrow('lower the order');
  });

  test.each([
    [{ order: 1 }, 'order'],
    [{ order: 9 }, 'order'],
    [{ minValues: 0 }, 'minValues'],
    [{ fingerprintKey: new Uint8Array(8) }, 'fingerprintKey'],
    [{ maxTransitions: 0 }, 'maxTransitions'],
    [{ tokenType: 'byte' as 'char' }, 'tokenType'],
    [{ originals: 'all' as 'none' }, 'originals'],
    [{ caseFolding: 'upper' as 'lower' }, 'caseFolding'],
    [{ source: 'x'.repeat(2001) }, 'source'],
  ])('an invalid option is refused with its name', (options, name) => {
    expect(() => train([['a', 1]], options)).toThrow(name);
  });

  test.each([0, -1, 1.5, Number.NaN, Infinity])('the weight %p is refused', (weight) => {
    expect(() => train([['a', weight]])).toThrow(TrainingError);
  });
});
