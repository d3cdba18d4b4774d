import { fieldPath } from '@understudy/sync-job';

import type { FieldProblem } from '../errors/api-error.js';

/** A number of a request body that a double would change. */
export class ExactNumber {
  constructor(
    readonly text: string,
    /** Undefined for decimals, and for integers that are too long. */
    readonly integer: bigint | undefined,
  ) {}
}

export interface ExactNumbers {
  readonly value: unknown;
  readonly problems: readonly FieldProblem[];
}

/**
 * Replaces the ExactNumbers of a parsed body by bigints, or reports them.
 * @param keepsIntegers true if the receiver of the body passes bigints on
 */
export function readExactNumbers(value: unknown, keepsIntegers: boolean, path = ''): ExactNumbers {
  if (value instanceof ExactNumber) {
    if (keepsIntegers && value.integer !== undefined) return { value: value.integer, problems: [] };
    return { value: null, problems: [{ field: path || 'body', message: MESSAGE }] };
  }
  if (typeof value !== 'object' || value === null) return { value, problems: [] };
  const problems: FieldProblem[] = [];
  for (const [key, item] of Object.entries(value)) {
    const here = fieldPath(path, Array.isArray(value) ? Number(key) : key);
    const read = readExactNumbers(item, keepsIntegers, here);
    problems.push(...read.problems);
    if (read.value !== item) Reflect.defineProperty(value, key, { value: read.value, enumerable: true });
  }
  return { value, problems };
}

const MESSAGE = 'this number would be rounded; write it with fewer digits, or as a text';
