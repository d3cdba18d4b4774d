import { compileMode, compileWord, type NgramModel, readModel } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';
import { ColumnTrainer } from './column-trainer.js';

const KEY = new Uint8Array(16).fill(3);
const SYLLABLES = [
  'ba',
  'be',
  'bo',
  'la',
  'li',
  'lo',
  'ma',
  'mi',
  'no',
  'ra',
  'ri',
  'so',
  'ta',
  'te',
  'va',
  'zu',
];
const DEFAULTS = { order: 4, minValues: 5, modelName: 'names', fingerprintKey: KEY };

/** Returns distinct names of at least three syllables. */
function names(count: number): string[] {
  const { length } = SYLLABLES;
  return Array.from({ length: count }, (_, i) =>
    [i, i / length, i / length ** 2, i / length ** 3].map((n) => SYLLABLES[Math.floor(n) % length]).join(''),
  );
}

function train(values: readonly string[], asked: Partial<typeof DEFAULTS> = {}): Uint8Array {
  const trainer = new ColumnTrainer({ ...DEFAULTS, ...asked });
  for (const value of values) trainer.add(value, 1);
  return trainer.finish();
}

function read(file: Uint8Array): NgramModel {
  return readModel(file, { fingerprintKey: KEY });
}

const refusal = expect.objectContaining({ failure: { code: 'training_refused' } });

describe('ColumnTrainer', () => {
  it.each([
    [100, 4, 2],
    [499, 4, 2],
    [500, 4, 3],
    [2_499, 4, 3],
    [2_500, 4, 4],
    [2_500, 8, 4],
    [12_499, 8, 4],
    [12_500, 8, 8],
    [12_500, 3, 3],
    [100, 2, 2],
  ])('for %i distinct values and requested order %i, trains a model of order %i', (count, asked, order) => {
    expect(read(train(names(count), { order: asked, minValues: 1 })).order).toBe(order);
  });

  it('trains the same model for any order of the values', () => {
    const values = names(3_000);
    expect(train(values.toReversed())).toEqual(train(values));
  });

  it('counts distinct values and not rows', () => {
    const values = names(400);
    expect(read(train([...values, ...values, ...values])).order).toBe(2);
    expect(() => train(Array.from({ length: 1000 }, (_, i) => names(99)[i % 99] as string))).toThrow(refusal);
  });

  it('refuses a column with fewer than 100 distinct values', () => {
    expect(() => train(names(99))).toThrow(refusal);
    expect(() => train(names(99), { minValues: 1, order: 2 })).toThrow(refusal);
    expect(() => train([])).toThrow(refusal);
  });

  it('refuses a column whose values have too little text in common', () => {
    const unrelated = Array.from({ length: 120 }, (_, i) => String.fromCodePoint(0x4e00 + i));
    expect(() => train(unrelated)).toThrow(refusal);
  });

  it('refuses a value that the model cannot count', () => {
    expect(() => {
      new ColumnTrainer(DEFAULTS).add('name', 0);
    }).toThrow(refusal);
  });

  it('stores no text that fewer than min_values values share, even if many rows have it', () => {
    const trainer = new ColumnTrainer(DEFAULTS);
    for (const name of names(3_000)) trainer.add(name, 1);
    trainer.add('Xq7-secret', 1_000_000);
    const file = trainer.finish();
    const model = read(file);
    for (const letter of 'Xq7-c') {
      expect(model.alphabet.tokenType === 'char' && model.alphabet.symbolOf(letter.charCodeAt(0))).toBe(-1);
    }
    expect(Buffer.from(file).includes('secret')).toBe(false);
  });

  it('stores fingerprints of original values under a key that is not in the file, and never makes an original', () => {
    const values = new Set(names(3_000));
    const file = train([...values]);
    expect(readModel(file).originals).toBe('locked');
    expect(Buffer.from(file).includes(Buffer.from(KEY))).toBe(false);
    const model = read(file);
    expect(() => compileMode(model, 'real_word', {})).toThrow(
      'the model contains no training values, which mode real_word needs',
    );
    const plan = compileWord(model, { excludeOriginals: true });
    const random = new RandomStream();
    const key = rootKey('column trainer', 1);
    for (let i = 0; i < 20_000; i += 1) expect(values.has(plan.sample(random.seek(key, i)))).toBe(false);
  });

  it.each([
    ['word', {}],
    ['sentence', { wordCount: 1, punctuation: '' }],
    ['text', { maxChars: 8 }],
    ['paragraph', {}],
    ['poem', { verses: 1, maxWords: 1 }],
    ['acrostic', { initials: 'b', maxWords: 1 }],
  ] as const)('makes no original value in mode %s with %j', (mode, parameters) => {
    const values = new Set(names(3_000));
    const plan = compileMode(read(train([...values])), mode, parameters, { excludeOriginals: true });
    const random = new RandomStream();
    const key = rootKey('column trainer', 2);
    for (let i = 0; i < 2_000; i += 1) {
      const words = (plan.sample(random.seek(key, i)) ?? '').split(/[\s.]+/);
      expect(words.filter((word) => values.has(word))).toEqual([]);
    }
  });
});
