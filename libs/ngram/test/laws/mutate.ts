import type { RandomStream } from '@understudy/random';
import { crc32 } from '../../src/file/crc32.js';

/** Some bytes overwritten, inserted, dropped or copied from elsewhere. */
export function mutate(bytes: Uint8Array, random: RandomStream): Uint8Array {
  let mutated = bytes.slice();
  for (let changes = 1 + random.below(3); changes > 0; changes -= 1) {
    const at = random.below(mutated.length);
    const kind = random.below(20);
    if (kind < 8) mutated[at] = random.below(256);
    else if (kind < 12) mutated[at] = (mutated[at] ?? 0) ^ (1 << random.below(8));
    else if (kind < 14) setWord(mutated, at, 2 ** random.below(32));
    else if (kind < 15) setWord(mutated, 32 + random.below(10 * 4) * 4, random.below(mutated.length + 8));
    else if (kind < 17) mutated.copyWithin(at, random.below(mutated.length), random.below(mutated.length));
    else if (kind < 18) mutated = mutated.slice(0, Math.max(5, at));
    else mutated = Uint8Array.from([...mutated.subarray(0, at), ...mutated.subarray(random.below(at + 1))]);
  }
  return mutated;
}

/** Makes length and checksum true again, so that what lies behind them is tested too. */
export function repair(bytes: Uint8Array): void {
  if (bytes.length < 16) return;
  const view = new DataView(bytes.buffer);
  view.setUint32(12, bytes.length, true);
  view.setUint32(bytes.length - 4, crc32(bytes, bytes.length - 4), true);
}

function setWord(bytes: Uint8Array, at: number, value: number): void {
  if (bytes.length >= 4)
    new DataView(bytes.buffer).setUint32(Math.min(at & ~3, bytes.length - 4) & ~3, value, true);
}
