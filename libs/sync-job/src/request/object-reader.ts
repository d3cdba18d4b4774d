import { hasMembers } from '@understudy/expression';

import { expectedButGot, type FieldProblem, fieldPath } from './field-problem.js';

type Check<T> = (value: unknown) => value is T;

/**
 * Reads the fields of one JSON object and collects their problems. Does not convert values. A field with the
 * value null is not missing.
 */
export class ObjectReader {
  constructor(
    private readonly source: Readonly<Record<string, unknown>>,
    private readonly path: string,
    private readonly problems: FieldProblem[],
  ) {}

  /** Reports every field that is not in `known`. @param hints special messages for some unknown fields */
  only(known: readonly string[], hints: ReadonlyMap<string, string> = new Map()): void {
    for (const key of Object.keys(this.source)) {
      if (!known.includes(key)) this.fail(key, hints.get(key) ?? 'is not a known field');
    }
  }

  /** Reads an optional field. @returns undefined if the field is missing or invalid */
  optional<T>(key: string, what: string, check: Check<T>): T | undefined {
    const value = this.raw(key);
    return value === undefined ? undefined : this.checked(key, value, what, check);
  }

  /** Reads a required field. @returns undefined if the field is invalid */
  required<T>(key: string, what: string, check: Check<T>): T | undefined {
    return this.checked(key, this.raw(key), what, check);
  }

  fail(key: string, message: string): void {
    this.problems.push({ field: fieldPath(this.path, key), message });
  }

  private raw(key: string): unknown {
    return Object.hasOwn(this.source, key) ? this.source[key] : undefined;
  }

  private checked<T>(key: string, value: unknown, what: string, check: Check<T>): T | undefined {
    if (check(value)) return value;
    this.fail(key, expectedButGot(what, value));
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return hasMembers(value) && !Array.isArray(value);
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
