import { randomBytes } from 'node:crypto';

/** 53 bits from the system's CSPRNG. */
export function drawSeed(): number {
  return Number(randomBytes(8).readBigUInt64BE() >> 11n);
}
