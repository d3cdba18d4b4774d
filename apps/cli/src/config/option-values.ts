import { randomBytes } from 'node:crypto';

import { parseSeed, SEED_EXPECTED } from '@understudy/sync-job';
import { InvalidArgumentError } from 'commander';

/** Returns a parser for an option whose value is a whole number from `min` to `max`, both included. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(
      max === Number.MAX_SAFE_INTEGER
        ? `Expected a whole number from ${min}.`
        : `Expected a whole number from ${min} to ${max}.`,
    );
  };
}

export function seed(text: string): number {
  const value = parseSeed(text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError(`Expected ${SEED_EXPECTED}.`);
}

/** Parses an ISO 8601 date or instant. @returns milliseconds since 1970 */
export function instant(text: string): number {
  const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;
  const ms = form.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new InvalidArgumentError('Expected an instant like 2026-01-31 or 2026-01-31T12:00:00Z.');
}

/** Returns a seed of 53 bits from the system's CSPRNG. */
export function randomSeed(): number {
  return Number(randomBytes(8).readBigUInt64BE() >> 11n);
}
