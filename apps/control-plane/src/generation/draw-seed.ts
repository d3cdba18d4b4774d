import { randomBytes } from 'node:crypto';

/** 53 bits from the system's CSPRNG. */
export function randomSeed(): number {
  return seedAt(randomBytes(8), 0);
}

/** So many of them in one question, which is what a seed costs. */
export function randomSeeds(count: number): number[] {
  const bytes = randomBytes(8 * count);
  return Array.from({ length: count }, (_, i) => seedAt(bytes, 8 * i));
}

function seedAt(bytes: Buffer, offset: number): number {
  return bytes.readUInt32BE(offset) * 2 ** 21 + (bytes.readUInt32BE(offset + 4) >>> 11);
}
