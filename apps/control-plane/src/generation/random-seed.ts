import { randomBytes } from 'node:crypto';

/** Returns a seed: 53 bits from the system's CSPRNG, which a JavaScript number holds exactly. */
export function randomSeed(): number {
  return seedAt(randomBytes(8), 0);
}

/**
 * Returns several seeds from one call of the CSPRNG, because the call is what a seed costs.
 * @param count how many seeds
 */
export function randomSeeds(count: number): number[] {
  const bytes = randomBytes(8 * count);
  return Array.from({ length: count }, (_, i) => seedAt(bytes, 8 * i));
}

/** Reads the seed at a byte offset: 32 bits, then the upper 21 bits of the next 32. */
function seedAt(bytes: Buffer, offset: number): number {
  return bytes.readUInt32BE(offset) * 2 ** 21 + (bytes.readUInt32BE(offset + 4) >>> 11);
}
