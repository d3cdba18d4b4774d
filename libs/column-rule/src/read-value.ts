import { hasMembers, isExactDecimal } from '@understudy/expression';
import { kindOf } from '@understudy/sync-job';

import type { RuleProblem } from './column-rule.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads the values of an object and collects the problems of these values. Does not convert strings to other
 * types.
 */
export class ValueReader {
  readonly problems: RuleProblem[] = [];

  constructor(
    private readonly source: JsonObject,
    private readonly path: string,
  ) {}

  has(key: string): boolean {
    return Object.hasOwn(this.source, key);
  }

  raw(key: string): unknown {
    return this.has(key) ? this.source[key] : undefined;
  }

  fail(key: string, message: string): undefined {
    this.problems.push({ path: this.pathOf(key), message });
    return undefined;
  }

  pathOf(key: string): string {
    return key === '' ? this.path : `${this.path}.${key}`;
  }

  /** Reports a problem for each unknown key. */
  only(known: readonly string[]): void {
    for (const key of Object.keys(this.source)) {
      if (!known.includes(key)) {
        this.fail(key, `is not a key of this rule; the keys are ${known.join(', ')}`);
      }
    }
  }

  string(key: string, maxLength: number): string | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return this.fail(key, `must be a string, got ${describe(value)}`);
    if (value === '') return this.fail(key, 'must not be empty');
    if (value.length > maxLength) {
      return this.fail(key, `must be at most ${maxLength} characters long, got ${describe(value)}`);
    }
    return value;
  }

  boolean(key: string): boolean | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'boolean') return this.fail(key, `must be true or false, got ${describe(value)}`);
    return value;
  }

  integer(key: string, min: number, max: number): number | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
      return this.fail(key, `must be an integer from ${min} to ${max}, got ${describe(value)}`);
    }
    return value;
  }

  object(key: string): JsonObject | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (!isObject(value)) return this.fail(key, `must be an object, got ${describe(value)}`);
    return value;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return hasMembers(value) && !Array.isArray(value);
}

/**
 * Returns the type and size of a value. Omits the content of a string, because a pattern may be confidential.
 */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (Array.isArray(value)) return `an array of ${value.length} elements`;
  if (typeof value === 'bigint' || isExactDecimal(value)) return kindOf(value);
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'boolean') return `the boolean ${String(value)}`;
  return typeof value === 'number' ? `the number ${value}` : typeof value;
}
