import { RandomStream, rootKey } from '@understudy/random';
import { compileWord } from './compile-word.js';
import { AttemptsExhaustedError, PlanTooLargeError, UnsatisfiableError } from '../errors.js';
import type { NgramModel } from '../model/ngram-model.js';
import { NgramTrainer } from '../training/ngram-trainer.js';
import { type ReadOptions, readModel } from '../file/read-model.js';
import { writeModel } from '../file/write-model.js';
import type { TrainOptions } from '../training/train-options.js';
import type { WordConstraints } from './constraints/word-constraints.js';

const NAMES = ['anna', 'hannah', 'hanna', 'ana', 'johanna', 'joan', 'jana', 'nora', 'dora', 'norah'];
const key = rootKey('test', 1);

function model(values = NAMES, options: Partial<TrainOptions> = {}, read: ReadOptions = {}): NgramModel {
  const trainer = new NgramTrainer({ order: 3, name: 'test', locale: 'xx_XX', ...options });
  for (const value of values) trainer.add(value);
  return readModel(trainer.finish(), read);
}

function samples(of: NgramModel, constraints: WordConstraints, count = 500): string[] {
  const plan = compileWord(of, constraints);
  const random = new RandomStream();
  return Array.from({ length: count }, (_, i) => plan.sample(random.seek(key, i)));
}

describe('compileWord', () => {
  test('the same stream gives the same word, independent of earlier samples', () => {
    const [plan, other] = [compileWord(model(), { endsWith: 'a' }), compileWord(model(), { endsWith: 'a' })];
    const random = new RandomStream();
    const forward = Array.from({ length: 50 }, (_, i) => plan.sample(random.seek(key, i)));
    const backward = Array.from({ length: 50 }, (_, i) => other.sample(random.seek(key, 49 - i))).reverse();
    expect(forward).toEqual(backward);
    expect(new Set(forward).size).toBeGreaterThan(3);
  });

  test('all constraints are met together, even if their texts overlap', () => {
    const words = samples(model(), {
      startsWith: 'han',
      contains: 'ann',
      endsWith: 'nah',
      minLength: 6,
      maxLength: 7,
    });
    expect(words.length).toBe(500);
    expect(words.filter((word) => !/^han/.test(word) || !/ann/.test(word) || !/nah$/.test(word))).toEqual([]);
    expect(words.filter((word) => word.length < 6 || word.length > 7)).toEqual([]);
  });

  test('lengths count code points', () => {
    const faces = model(['\u{1f600}\u{1f601}\u{1f602}', '\u{1f600}\u{1f601}', '\u{1f600}']);
    expect(new Set(samples(faces, { maxLength: 2, minLength: 2 }))).toEqual(new Set(['\u{1f600}\u{1f601}']));
  });

  test('texts are compared after NFC', () => {
    expect(samples(model(['Zoë', 'Zoé']), { endsWith: 'e\u0308' }, 20).every((word) => word === 'Zoë')).toBe(
      true,
    );
  });

  test.each<[string, WordConstraints]>([
    ['an unknown character', { contains: 'x' }],
    ['a beginning no word has', { startsWith: 'rr' }],
    ['an ending no word has', { endsWith: 'j' }],
    ['a text no word holds', { contains: 'dn' }],
    ['texts that exclude each other', { startsWith: 'd', contains: 'j' }],
    ['a prefix beyond the longest', { startsWith: 'hanna', maxLength: 4 }],
    ['a minimum above the maximum', { minLength: 5, maxLength: 4 }],
    ['a maximum below the shortest', { maxLength: 1 }],
    ['an empty word', { maxLength: 0 }],
    ['a length that is none', { minLength: -1 }],
    ['a length that is no number', { maxLength: Number.NaN }],
    ['a length beyond all words', { minLength: 100_000 }],
  ])('unsatisfiable: %s', (_, constraints) => {
    expect(() => compileWord(model(), constraints)).toThrow(UnsatisfiableError);
  });

  test('a minimum length that a model without cycles cannot reach is unsatisfiable', () => {
    expect(() => compileWord(model(['abc', 'abd']), { minLength: 4 })).toThrow(UnsatisfiableError);
    expect(samples(model(['abc', 'abde']), { minLength: 4 }, 20)).toEqual(Array(20).fill('abde'));
  });

  test('a message quotes no text of the constraint', () => {
    expect(() => compileWord(model(), { contains: 'secret' })).toThrow(/character 1 of contains/);
  });

  describe('exclude_originals', () => {
    test('never gives a training value, but gives every other word', () => {
      const words = new Set(samples(model(), { excludeOriginals: true }, 5000));
      expect(NAMES.filter((name) => words.has(name))).toEqual([]);
      expect(words.size).toBeGreaterThan(5);
    });

    test('compares words with the case-folded training values', () => {
      const folded = model(
        NAMES.map((name) => name.toUpperCase()),
        { caseFolding: 'title' },
      );
      const originals = new Set(NAMES.map((name) => name.charAt(0).toUpperCase() + name.slice(1)));
      expect(samples(folded, { excludeOriginals: true }).filter((word) => originals.has(word))).toEqual([]);
    });

    test('is unsatisfiable if the model only repeats its values', () => {
      expect(() => compileWord(model(['abc']), { excludeOriginals: true })).toThrow(/training values/);
    });

    test('is unsatisfiable without originals, or without their key', () => {
      expect(() => compileWord(model(NAMES, { originals: 'none' }), { excludeOriginals: true })).toThrow(
        /no originals/,
      );
      const fingerprintKey = Uint8Array.from({ length: 16 }, (_, i) => i);
      expect(() => compileWord(model(NAMES, { fingerprintKey }), { excludeOriginals: true })).toThrow(/key/);
      const opened = model(NAMES, { fingerprintKey }, { fingerprintKey });
      const words = samples(opened, { excludeOriginals: true }, 3000);
      expect(words.filter((word) => NAMES.includes(word))).toEqual([]);
    });
  });

  describe('budgets', () => {
    test('a plan that exceeds the budget is refused', () => {
      expect(() =>
        compileWord(model(), { contains: 'ann', maxLength: 16 }, { maxPlanEdges: 10 }),
      ).not.toThrow();
      const large = model(Array.from({ length: 3000 }, (_, i) => i.toString(7)));
      expect(() => compileWord(large, { contains: '1234', maxLength: 16 }, { maxPlanEdges: 1000 })).toThrow(
        PlanTooLargeError,
      );
      expect(() => compileWord(large, { minLength: 60_000 })).toThrow(PlanTooLargeError);
    });

    test('texts of more than 1000 characters are refused', () => {
      expect(() => compileWord(model(), { contains: 'a'.repeat(1001) })).toThrow(PlanTooLargeError);
    });

    test('a text whose probability is too small for a double is refused', () => {
      const rare = model(
        ['ab', ...Array.from({ length: 400 }, (_, i) => `a${String.fromCharCode(0x4e00 + i)}`), 'ba'],
        {
          order: 2,
        },
      );
      expect(() => compileWord(rare, { contains: 'ab'.repeat(400) })).toThrow(PlanTooLargeError);
    });

    test('a loose maximum length needs no more memory than the model itself', () => {
      const free = compileWord(model(), {});
      expect(compileWord(model(), { maxLength: 255 }).byteLength).toBe(free.byteLength);
      expect(samples(model(), { maxLength: 40 }).every((word) => word.length <= 40)).toBe(true);
    });

    test('a maximum length that few words meet is compiled into the plan', () => {
      const long = model(['b'.repeat(65_536)], { order: 2 });
      expect(samples(long, { maxLength: 600 }, 200).every((word) => /^b{1,600}$/.test(word))).toBe(true);
    });

    test('a model whose words almost never end fails with an error', () => {
      const trainer = new NgramTrainer({ order: 2, name: 'n', locale: 'l', originals: 'none' });
      trainer.add('bb');
      const trained = readModel(trainer.finish());
      // START → b. After b, END has the count 1, and b → b has all others. Training never produces such a
      // model.
      const edgeCumulative = Uint32Array.of(1, 1, 0xffffffff);
      const graph = { ...trained.graph, edgeCumulative };
      const bytes = writeModel({ ...trained, metadata: trained, graph, originals: undefined });
      const plan = compileWord(readModel(bytes), {});
      expect(() => plan.sample(new RandomStream().seek(key, 0))).toThrow(AttemptsExhaustedError);
    });
  });
});
