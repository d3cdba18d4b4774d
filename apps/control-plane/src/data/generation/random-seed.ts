import { randomBytes } from 'node:crypto';

/** Returns a random seed of 53 bits from the system's CSPRNG. A JavaScript number represents it exactly. */
export function randomSeed(): number {
  return seedAt(randomBytes(8), 0);
}

/**
 * Returns several seeds with one call of the CSPRNG, because the call takes most of the time.
 * @param count number of seeds
 */
export function randomSeeds(count: number): number[] {
  const bytes = randomBytes(8 * count);
  return Array.from({ length: count }, (_, i) => seedAt(bytes, 8 * i));
}

/** Reads the seed at a byte offset: 32 bits, then the upper 21 bits of the next 32. */
function seedAt(bytes: Buffer, offset: number): number {
  return bytes.readUInt32BE(offset) * 2 ** 21 + (bytes.readUInt32BE(offset + 4) >>> 11);
}
