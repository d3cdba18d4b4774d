import { compileMode } from '../../src/modes/compile-mode.js';
import { describeModel } from '../../src/describe/describe-model.js';
import { ModelFormatError, NgramError } from '../../src/errors.js';
import { type NgramModel } from '../../src/model/ngram-model.js';
import { NgramTrainer } from '../../src/training/ngram-trainer.js';
import { readModel } from '../../src/file/read-model.js';
import { type TrainOptions } from '../../src/training/train-options.js';
import { RandomStream, rootKey } from '@understudy/random';
import { mutate, repair, splice } from './mutate.js';

/**
 * The total number of mutations. This command runs a million and prints their outcomes:
 * `MUTATIONS=1000000 npx jest libs/ngram/test/laws/mutated-files.spec.ts`
 */
const MUTATIONS = Number(process.env['MUTATIONS'] ?? 8_000);
const LONGEST_TEXT = 65_536;
const TIMEOUT_MS = 60_000 + MUTATIONS * 10;

function file(options: Partial<TrainOptions>): Uint8Array {
  const trainer = new NgramTrainer({ order: 3, name: 'n', locale: 'l', ...options });
  for (const value of ['anna', 'hannah', 'joan', 'jana', 'nora', 'dora', 'Zoë', '\u{1f600}'])
    trainer.add(value, 3);
  trainer.addText('Anna saw Zoë. Nora saw Anna and Dora saw Nora.\n\nThen Zoë saw Dora.');
  return trainer.finish();
}

/** Draws in every mode. Each draw must return a text or null, or throw an error of the library. */
function use(model: NgramModel, random: RandomStream): void {
  const draws: (() => string | null)[] = [
    () => compileMode(model, 'word', {}).sample(random),
    () => compileMode(model, 'word', {}, { maxLength: 5 }).sample(random),
    () => compileMode(model, 'word', {}, { endsWith: 'a', excludeOriginals: true }).sample(random),
    () => compileMode(model, 'sentence', {}).sample(random),
    () => compileMode(model, 'text', { maxChars: 40 }).sample(random),
    () => compileMode(model, 'paragraph', {}, { excludeOriginals: random.below(2) === 0 }).sample(random),
    () => compileMode(model, 'poem', { verses: 3 }).sample(random),
    () => compileMode(model, 'acrostic', { initials: 'an', maxWords: 3 }).sample(random),
    () => compileMode(model, 'real_word', { prefix: 'j' }).sample(random),
    ...(random.below(16) === 0 ? [() => String(describeModel(model).effectiveValues)] : []),
  ];
  for (const draw of draws) {
    try {
      const text = draw();
      if (text !== null && text.length > LONGEST_TEXT)
        expect([...text].length).toBeLessThanOrEqual(LONGEST_TEXT);
    } catch (error) {
      if (!(error instanceof NgramError)) throw error;
    }
  }
}

function readOrRefuse(bytes: Uint8Array): NgramModel | undefined {
  try {
    return readModel(bytes);
  } catch (error) {
    if (!(error instanceof ModelFormatError)) throw error;
    return undefined;
  }
}

describe('a mutated file', () => {
  const files: readonly [string, Partial<TrainOptions>][] = [
    ['names with fingerprints', {}],
    ['names with their values', { originals: 'values' }],
    ['phrases with fingerprints', { tokenType: 'word' }],
    ['phrases with their values', { tokenType: 'word', originals: 'values' }],
  ];
  const check = (name: string, options: Partial<TrainOptions>) => {
    const original = file(options);
    const donors = files.map(([, donor]) => file({ ...donor, order: 2 }));
    const random = new RandomStream();
    const outcomes = { refused: 0, valid: 0, longestMs: 0 };
    for (let i = 0; i < MUTATIONS / 4; i += 1) {
      random.seek(rootKey(name, 1), i);
      const donor = donors[random.below(donors.length)] as Uint8Array;
      const whole = i % 4 === 3 ? splice(original, donor, random) : original;
      const bytes = i % 16 === 15 ? whole.slice() : mutate(whole, random);
      if (i % 8 !== 0) repair(bytes);
      const startedAt = performance.now();
      const model = readOrRefuse(bytes);
      if (model !== undefined) use(model, random);
      outcomes[model === undefined ? 'refused' : 'valid'] += 1;
      outcomes.longestMs = Math.max(outcomes.longestMs, performance.now() - startedAt);
    }
    if (MUTATIONS > 20_000) {
      const mebibytes = Math.round(process.resourceUsage().maxRSS / 1024);
      process.stderr.write(`${name}: ${JSON.stringify(outcomes)}, process at most ${mebibytes} MiB\n`);
    }
    // Both outcomes must occur, otherwise the test would show nothing.
    expect(outcomes.valid).toBeGreaterThan(MUTATIONS / 100);
    expect(outcomes.refused).toBeGreaterThan(MUTATIONS / 20);
  };
  test.each(files)('is refused with ModelFormatError, or is a model that samples: %s', check, TIMEOUT_MS);
});
