import fc from 'fast-check';
import { compileMode, ignoredConstraints } from '../../src/modes/compile-mode.js';
import { compileWord } from '../../src/sampling/compile-word.js';
import { GENERATION_MODES, type GenerationMode } from '../../src/model/model-metadata.js';
import { ModeNotServedError, NgramError, UnsatisfiableError } from '../../src/errors.js';
import { type ModeParameters } from '../../src/modes/mode-parameters.js';
import { type NgramModel } from '../../src/model/ngram-model.js';
import { NgramTrainer } from '../../src/training/ngram-trainer.js';
import { readModel, stripOriginals } from '../../src/file/read-model.js';
import { type TrainOptions } from '../../src/training/train-options.js';
import { type WordConstraints } from '../../src/sampling/constraints/word-constraints.js';
import { RandomStream, rootKey } from '@understudy/random';
import { chiSquare } from './chi-square.js';

const PROSE = `The old ship lay in the harbour. The captain saw the ship and the sea. Nobody saw the captain.
The sea was calm and the old captain was glad. A gull sat on the mast, and nobody saw it.

The ship left the harbour in the night. Nobody was glad. The captain saw a light on the sea.
In the morning the old ship was far from the harbour, and the captain was glad of the calm sea.

Émile saw a light. Who saw Émile? A captain and a gull saw the light of the old harbour!`;
const random = new RandomStream();
const key = rootKey('modes', 1);

function train(options: Partial<TrainOptions>): Uint8Array {
  const trainer = new NgramTrainer({
    order: 3,
    name: 'prose',
    locale: 'en_US',
    originals: 'values',
    ...options,
  });
  trainer.addText(PROSE);
  return trainer.finish();
}

const MODELS: Readonly<Record<'char' | 'word', NgramModel>> = {
  char: readModel(train({ tokenType: 'char', caseFolding: 'lower' })),
  word: readModel(train({ tokenType: 'word' })),
};
const TOKENS = ['char', 'word'] as const;

function samples<M extends GenerationMode>(
  model: NgramModel,
  mode: M,
  parameters: ModeParameters[M],
  constraints: WordConstraints = {},
  count = 300,
): string[] {
  const plan = compileMode(model, mode, parameters, constraints);
  return Array.from({ length: count }, (_, i) => plan.sample(random.seek(key, i)) ?? 'null');
}

const length = (text: string) => [...text].length;

describe.each(TOKENS)('a model over %ss', (token) => {
  const model = MODELS[token];

  test.each(GENERATION_MODES)('[2.9.4/2] mode %s is a pure function of the stream', (mode) => {
    const parameters = mode === 'acrostic' ? { initials: 'at' } : {};
    const [plan, other] = [compileMode(model, mode, parameters), compileMode(model, mode, parameters)];
    const forward = Array.from({ length: 60 }, (_, i) => plan.sample(random.seek(key, i)));
    const backward = Array.from({ length: 60 }, (_, i) => other.sample(random.seek(key, 59 - i))).reverse();
    expect(forward).toEqual(backward);
    expect(new Set(forward).size).toBeGreaterThan(5);
  });

  describe('sentence', () => {
    test('starts with an upper-case letter and ends with a full stop', () => {
      const texts = samples(model, 'sentence', {});
      expect(texts.filter((text) => !/^\p{Lu}[^.!?]*[^.!?,;:\s]\.$/u.test(text))).toEqual([]);
    });

    test('has the requested number of words', () => {
      for (const wordCount of [1, 2, 6, 13]) {
        if (token === 'word' && wordCount < 3) continue; // the prose has no sentence that is so short
        const texts = samples(model, 'sentence', { wordCount }, {}, 60);
        expect(new Set(texts.map((text) => text.split(' ').length))).toEqual(new Set([wordCount]));
      }
    });

    test('[2.9.4/6] learns the number of words per sentence', () => {
      const counts = samples(model, 'sentence', {}, {}, 3000).map((text) => text.split(' ').length);
      const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
      const learned = model.statistics.sentenceWords?.mean ?? 0;
      // With a model over words, the length of a sentence is the length of a drawn value, which is only close
      // to the lengths in the prose.
      expect(Math.abs(mean - learned)).toBeLessThan(token === 'char' ? 0.3 : 3);
    });

    test('ends with the given punctuation, and uses several marks equally often', () => {
      expect(samples(model, 'sentence', { punctuation: '' }, {}, 50).filter((t) => t.endsWith('.'))).toEqual(
        [],
      );
      const marks = ['!', '?', ' …'];
      const texts = samples(model, 'sentence', { punctuation: marks }, {}, 3000);
      const cells = marks.map((mark) => [texts.filter((t) => t.endsWith(mark)).length, 1000] as const);
      expect(chiSquare(cells)).toBeLessThan(5);
    });

    test.each(['The', 'the', 'The old', 'A g', 'nobody ', 'émile'])(
      'starts with exactly "%s"',
      (startsWith) => {
        const texts = samples(model, 'sentence', { startsWith }, {}, 100);
        expect(texts.filter((text) => !text.startsWith(startsWith))).toEqual([]);
        // The constraint applies if the mode's parameter of the same name is absent. A given parameter takes
        // precedence.
        expect(samples(model, 'sentence', {}, { startsWith }, 100)).toEqual(texts);
        expect(samples(model, 'sentence', { startsWith }, { startsWith: 'zzz' }, 100)).toEqual(texts);
      },
    );

    test('a start that no sentence has is unsatisfiable, and the error names the parameter', () => {
      const compile = () => compileMode(model, 'sentence', { startsWith: 'Xy' });
      expect(compile).toThrow(UnsatisfiableError);
      expect(compile).toThrow(expect.objectContaining({ parameter: 'starts_with' }));
    });
  });

  describe('text', () => {
    test.each([20, 60, 200, 1000])('has at most %i characters in complete sentences', (maxChars) => {
      const texts = samples(model, 'text', { maxChars }, {}, 100);
      expect(texts.filter((text) => length(text) > maxChars || !text.endsWith('.'))).toEqual([]);
      if (maxChars >= 200) expect(texts.every((text) => length(text) > maxChars / 3)).toBe(true);
    });

    test('has at most 200 characters by default, and fewer under max_length', () => {
      expect(samples(model, 'text', {}).every((text) => length(text) <= 200)).toBe(true);
      expect(samples(model, 'text', {}, { maxLength: 40 }).every((text) => length(text) <= 40)).toBe(true);
    });

    test('counts the suffix, and starts with starts_with', () => {
      const texts = samples(model, 'text', {
        maxChars: 50,
        suffix: ' \u{1f600}\u{1f600}',
        startsWith: 'The',
      });
      expect(texts.filter((t) => length(t) > 50 || !t.endsWith('. \u{1f600}\u{1f600}'))).toEqual([]);
      expect(texts.filter((text) => !text.startsWith('The'))).toEqual([]);
    });

    test.each([{ maxChars: 2, suffix: 'ab' }, { maxChars: 1 }, { maxChars: 4, startsWith: 'The old' }])(
      'is unsatisfiable without room for a sentence: %p',
      (parameters) => {
        expect(() => compileMode(model, 'text', parameters)).toThrow(UnsatisfiableError);
      },
    );
  });

  describe('paragraph', () => {
    test('has the requested number of sentences', () => {
      const texts = samples(model, 'paragraph', { sentenceCount: 3, startsWith: 'The' }, {}, 100);
      expect(texts.filter((text) => text.split('. ').length !== 3 || !text.startsWith('The'))).toEqual([]);
    });

    test('[2.9.4/8] learns the number of sentences per paragraph', () => {
      const counts = samples(model, 'paragraph', {}, {}, 1000).map((text) => text.split('. ').length);
      expect(new Set(counts)).toEqual(new Set([3, 4, 5]));
    });
  });

  describe('poem', () => {
    test('has verses in stanzas, none of them too long', () => {
      const texts = samples(model, 'poem', { verses: 7, stanzaLength: 3, maxWords: 4 }, {}, 100);
      for (const text of texts) {
        const stanzas = text.split('\n\n').map((stanza) => stanza.split('\n'));
        expect(stanzas.map((verses) => verses.length)).toEqual([3, 3, 1]);
        const verses = stanzas.flat();
        expect(verses.filter((verse) => !/^\p{Lu}/u.test(verse) || verse.split(' ').length > 4)).toEqual([]);
      }
    });

    test('has four verses of at most eight words by default', () => {
      for (const text of samples(model, 'poem', {}, {}, 50)) {
        expect(text.split('\n').length).toBe(4);
        expect(text.split('\n').every((verse) => verse.split(' ').length <= 8)).toBe(true);
      }
    });
  });

  describe('acrostic', () => {
    test('spells the initials as given, independent of the case in the model', () => {
      for (const initials of ['TAN', 'tin', 'Éw']) {
        const texts = samples(model, 'acrostic', { initials, maxWords: 5 }, {}, 100);
        const spelt = texts.map((text) =>
          text
            .split('\n')
            .map((line) => [...line][0])
            .join(''),
        );
        expect(new Set(spelt)).toEqual(new Set([initials]));
        expect(texts.flatMap((t) => t.split('\n')).every((line) => line.split(' ').length <= 5)).toBe(true);
      }
    });

    test('is empty without initials', () => {
      expect(samples(model, 'acrostic', {}, {}, 3)).toEqual(['', '', '']);
    });

    test.each(['x', 'aX', 'a b', 'a\n', '\ud800'])(
      'an initial with which no line starts is an error: %j',
      (initials) => {
        expect(() => compileMode(model, 'acrostic', { initials })).toThrow(
          expect.objectContaining({ name: 'UnsatisfiableError', parameter: 'initials' }),
        );
      },
    );
  });

  describe('real_word', () => {
    test('gives training values in proportion to their occurrences', () => {
      const plan = compileMode(model, 'real_word', {});
      const { originals } = model;
      if (typeof originals === 'string' || originals.kind !== 'values') throw new Error('expected values');
      const counts = new Map<string | null, number>();
      for (let i = 0; i < 20_000; i += 1) {
        const value = plan.sample(random.seek(key, i));
        counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      const cells = Array.from({ length: originals.size }, (_, i) => {
        const seen = counts.get(originals.texts.text(i)) ?? 0;
        counts.delete(originals.texts.text(i));
        return [seen, (20_000 * originals.countOf(i)) / model.totalWeight] as const;
      });
      expect([...counts.keys()]).toEqual([]);
      expect(chiSquare(cells)).toBeLessThan(5);
    });

    test('gives only values with the prefix that meet the constraints, and null if there is none', () => {
      const prefix = token === 'char' ? 'ca' : 'The s';
      expect(samples(model, 'real_word', { prefix }).every((text) => text.startsWith(prefix))).toBe(true);
      const bounded = samples(model, 'real_word', {}, { contains: 'o', maxLength: 45, minLength: 4 });
      expect(bounded.every((t) => t.includes('o') && length(t) <= 45 && length(t) >= 4)).toBe(true);
      expect(compileMode(model, 'real_word', { prefix: 'zz' }).sample(random)).toBeNull();
      expect(compileMode(model, 'real_word', { prefix }, { startsWith: 'zz' }).sample(random)).toBeNull();
    });

    test('[2.9.4/11] is refused if the values are not recorded, or if they are to be excluded', () => {
      for (const originals of ['none', 'fingerprints'] as const) {
        const other = readModel(train({ tokenType: token, originals }));
        expect(() => compileMode(other, 'real_word', {})).toThrow(ModeNotServedError);
        expect(other.modes).not.toContain('real_word');
      }
      expect(() => compileMode(model, 'real_word', {}, { excludeOriginals: true })).toThrow(
        UnsatisfiableError,
      );
    });
  });

  test('a model exported without its originals gives the same words, and no originals', () => {
    const bytes = train({ tokenType: token });
    const stripped = stripOriginals(bytes);
    const other = readModel(stripped);
    expect(other.originals).toBe('none');
    expect(other.modes).toEqual(model.modes.filter((mode) => mode !== 'real_word'));
    expect(other.novelMass).toBe(readModel(bytes).novelMass);
    expect(samples(other, 'paragraph', {})).toEqual(samples(readModel(bytes), 'paragraph', {}));
    expect(Buffer.from(stripped).includes(token === 'word' ? 'The old ship lay' : 'harbour')).toBe(false);
    expect(stripOriginals(stripped)).toEqual(stripped);
    expect(() => compileMode(other, 'real_word', {})).toThrow(ModeNotServedError);
    expect(() => compileMode(other, 'sentence', {}, { excludeOriginals: true })).toThrow(UnsatisfiableError);
  });

  test.each(['values', 'fingerprints'] as const)(
    '[2.9.4/19] no mode gives a training value under exclude_originals, by %s',
    (originals) => {
      const trainer = new NgramTrainer({ order: 2, name: 'n', locale: 'l', tokenType: token, originals });
      // The values exist with and without final marks and upper-case letters, so that adding these could turn
      // one value into another.
      const values =
        token === 'char'
          ? ['anna', 'Anna', 'Hannah', 'hanna', 'Nahan', 'Ana', 'ana', 'Annahan', 'nahan']
          : PROSE.replaceAll('\n', ' ')
              .split(/(?<=[.!?]) +/)
              .flatMap((text) => [text, text.slice(0, -1), text.toLowerCase()]);
      for (const value of values) trainer.add(value);
      const known = new Set(values);
      const of = readModel(trainer.finish());
      const given = (['sentence', 'text', 'paragraph', 'poem', 'acrostic'] as const).flatMap((mode) => {
        const parameters = mode === 'acrostic' ? { initials: token === 'char' ? 'an' : 'tn' } : {};
        return samples(of, mode, parameters, { excludeOriginals: true }, 200);
      });
      const pieces = given.flatMap((text) => [text, ...text.split('\n'), ...text.split(/(?<=\.) /)]);
      const words = token === 'char' ? given.flatMap((text) => text.replaceAll('.', '').split(/\s+/)) : [];
      expect([...pieces, ...words].filter((piece) => known.has(piece))).toEqual([]);
    },
  );

  test('constraints that a mode does not apply are listed', () => {
    const constraints = {
      startsWith: 'a',
      endsWith: 'b',
      minLength: 3,
      maxLength: 99,
      excludeOriginals: false,
    };
    expect(ignoredConstraints('poem', constraints)).toEqual([
      'starts_with',
      'ends_with',
      'min_length',
      'max_length',
    ]);
    expect(ignoredConstraints('text', { maxLength: 99, startsWith: 'the' })).toEqual([]);
    expect(ignoredConstraints('word', { maxLength: 99, endsWith: 'e' })).toEqual([]);
  });
});

describe('bounds of parameters', () => {
  const long = 'a'.repeat(1001);
  const cases: readonly [GenerationMode, object, string][] = [
    ['sentence', { wordCount: 0 }, 'word_count'],
    ['sentence', { wordCount: 1001 }, 'word_count'],
    ['sentence', { wordCount: 2.5 }, 'word_count'],
    ['sentence', { wordCount: '3' }, 'word_count'],
    ['sentence', { punctuation: '.'.repeat(17) }, 'punctuation'],
    ['sentence', { punctuation: [] }, 'punctuation'],
    ['sentence', { punctuation: ['.', 3] }, 'punctuation'],
    ['sentence', { punctuation: Array(65).fill('.') }, 'punctuation'],
    ['sentence', { startsWith: long }, 'starts_with'],
    ['sentence', { startsWith: 'the old ship', wordCount: 2 }, 'starts_with'],
    ['text', { maxChars: 0 }, 'max_chars'],
    ['text', { maxChars: 65_537 }, 'max_chars'],
    ['text', { suffix: long }, 'suffix'],
    ['text', { suffix: 'a'.repeat(10_000_000) }, 'suffix'],
    ['paragraph', { sentenceCount: 101 }, 'sentence_count'],
    ['poem', { verses: 201 }, 'verses'],
    ['poem', { stanzaLength: 0 }, 'stanza_length'],
    ['poem', { maxWords: 51 }, 'max_words'],
    ['acrostic', { initials: 'a'.repeat(201) }, 'initials'],
    ['real_word', { prefix: long }, 'prefix'],
  ];
  test.each(cases)('%s %j', (mode, parameters, name) => {
    for (const token of TOKENS) {
      expect(() => compileMode(MODELS[token], mode, parameters)).toThrow(
        expect.objectContaining({ name: 'UnsatisfiableError', parameter: name }),
      );
    }
  });

  test('an unknown mode is refused', () => {
    expect(() => compileMode(MODELS.char, 'haiku' as 'poem', {})).toThrow(UnsatisfiableError);
  });

  test('any combination of texts gives a plan that meets them or an error with a reason', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({
        unit: fc.constantFrom('a', 'A', ' ', 'the', 'é', 'e\u0301', '\ud800', '\n', '\u202e', '.'),
        maxLength: 6,
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...TOKENS), hostile, hostile, (token, text, other) => {
        const attempts: readonly (() => boolean)[] = [
          () =>
            samples(MODELS[token], 'sentence', { startsWith: text, punctuation: other }, {}, 3).every(
              (t) => t.startsWith(text.normalize('NFC')) && t.endsWith(other.normalize('NFC')),
            ),
          () =>
            samples(MODELS[token], 'text', { startsWith: text, suffix: other, maxChars: 60 }, {}, 3).every(
              (t) =>
                t.startsWith(text.normalize('NFC')) && t.endsWith(other.normalize('NFC')) && length(t) <= 60,
            ),
          () =>
            samples(MODELS[token], 'acrostic', { initials: text }, {}, 2).every(
              (t) =>
                t
                  .split('\n')
                  .map((line) => [...line][0] ?? '')
                  .join('') === text.normalize('NFC'),
            ),
          () =>
            samples(MODELS[token], 'real_word', { prefix: text }, {}, 2).every(
              (t) => t === 'null' || t.startsWith(text.normalize('NFC')),
            ),
          () =>
            samples(MODELS[token], 'word', {}, { startsWith: text, contains: other }, 2).every(
              (t) => t.startsWith(text.normalize('NFC')) && t.includes(other.normalize('NFC')),
            ),
        ];
        for (const attempt of attempts) {
          try {
            expect(attempt()).toBe(true);
          } catch (error) {
            if (!(error instanceof NgramError)) throw error;
          }
        }
      }),
      { seed: 8, numRuns: 400 },
    );
  });
});

describe('an acrostic of a model over words', () => {
  test('draws a line from all that start with its initial, by their probability in the model', () => {
    const model = MODELS.word;
    const lines = samples(model, 'acrostic', { initials: 'N', maxWords: 50 }, {}, 8000);
    const words = Array.from({ length: 80_000 }, (_, i) =>
      compileWordOnce(model).sample(random.seek(rootKey('free', 1), i)),
    ).filter((text) => text.startsWith('N'));
    const [mine, free] = [countOf(lines), countOf(words)];
    const texts = [...new Set([...mine.keys(), ...free.keys()])];
    const scale = lines.length / words.length;
    const cells = texts.map((text) => {
      const pooled = ((mine.get(text) ?? 0) + (free.get(text) ?? 0)) / (lines.length + words.length);
      return [mine.get(text) ?? 0, pooled * lines.length] as const;
    });
    expect(chiSquare(cells, (expected) => expected / (1 + scale))).toBeLessThan(5);
  });
});

let plan: ReturnType<typeof compileWord> | undefined;
function compileWordOnce(model: NgramModel): ReturnType<typeof compileWord> {
  return (plan ??= compileWord(model, {}));
}

function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
