import { compileWord, ModelFormatError, NgramError, NgramTrainer, readModel } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';
import { crc32 } from '../../src/crc32.js';

const MUTATIONS = 6000;

function file(): Uint8Array {
  const trainer = new NgramTrainer({ order: 3, name: 'n', locale: 'l' });
  for (const value of ['anna', 'hannah', 'joan', 'jana', 'nora', 'dora', 'Zoë', '\u{1f600}'])
    trainer.add(value, 3);
  return trainer.finish();
}

/** Some bytes overwritten, inserted, dropped or copied from elsewhere. */
function mutate(bytes: Uint8Array, random: RandomStream): Uint8Array {
  let mutated = bytes.slice();
  for (let changes = 1 + random.below(3); changes > 0; changes -= 1) {
    const at = random.below(mutated.length);
    const kind = random.below(10);
    if (kind < 4) mutated[at] = random.below(256);
    else if (kind < 6) mutated[at] = (mutated[at] ?? 0) ^ (1 << random.below(8));
    else if (kind < 7)
      new DataView(mutated.buffer).setUint32(
        Math.min(at & ~3, mutated.length - 4),
        2 ** random.below(32),
        true,
      );
    else if (kind < 8) mutated.copyWithin(at, random.below(mutated.length), random.below(mutated.length));
    else if (kind < 9) mutated = mutated.slice(0, Math.max(5, at));
    else mutated = Uint8Array.from([...mutated.subarray(0, at), ...mutated.subarray(random.below(at + 1))]);
  }
  return mutated;
}

/** Makes length and checksum true again, so that what lies behind them is tested too. */
function repair(bytes: Uint8Array): void {
  if (bytes.length < 16) return;
  const view = new DataView(bytes.buffer);
  view.setUint32(12, bytes.length, true);
  view.setUint32(bytes.length - 4, crc32(bytes, bytes.length - 4), true);
}

describe('a mutated file', () => {
  test('is refused with ModelFormatError or is a model that samples', () => {
    const original = file();
    const random = new RandomStream();
    const outcomes = { refused: 0, valid: 0 };
    for (let i = 0; i < MUTATIONS; i += 1) {
      random.seek(rootKey('mutations', 1), i);
      const bytes = mutate(original, random);
      if (i % 8 !== 0) repair(bytes);
      try {
        const model = readModel(bytes);
        outcomes.valid += 1;
        for (const constraints of [{}, { maxLength: 5 }, { endsWith: 'a', excludeOriginals: true }]) {
          try {
            expect(typeof compileWord(model, constraints).sample(random)).toBe('string');
          } catch (error) {
            if (!(error instanceof NgramError)) throw error;
          }
        }
      } catch (error) {
        if (!(error instanceof ModelFormatError)) throw error;
        outcomes.refused += 1;
      }
    }
    // Both ways out are taken, or the test would show nothing.
    expect(outcomes.valid).toBeGreaterThan(200);
    expect(outcomes.refused).toBeGreaterThan(2000);
  });
});
