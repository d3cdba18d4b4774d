import { isExactDecimal, writeExactJson } from '@understudy/expression';

/**
 * A mistake in a user's document: its path, what was expected and the kind of the value. Never contains the
 * value.
 */
export interface FieldProblem {
  /** `tables[0].columns.email` */
  readonly field: string;
  readonly message: string;
}

/**
 * Appends one step to a path in the form of error messages: `tables[0].columns.email`, `columns["odd.name"]`.
 * Shortens a step that is longer than 100 characters.
 */
export function fieldPath(parent: string, step: string | number): string {
  return append(parent, step, shorten);
}

/** Appends one step as {@link fieldPath} does, but never shortens it. Different steps give different paths. */
export function exactFieldPath(parent: string, step: string | number): string {
  return append(parent, step, (text) => text);
}

function append(parent: string, step: string | number, write: (step: string) => string): string {
  if (typeof step === 'number') return `${parent}[${step}]`;
  if (!/^[\p{ID_Start}_$][\p{ID_Continue}$-]*$/u.test(step))
    return `${parent}[${JSON.stringify(write(step))}]`;
  return parent === '' ? write(step) : `${parent}.${write(step)}`;
}

function shorten(step: string): string {
  return step.length > 100 ? `${step.slice(0, 100)}…` : step;
}

/** Describes the kind of a value without quoting it, because strings may be URLs, patterns or secrets. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'bigint' || isExactDecimal(value)) {
    const text = writeExactJson(value);
    return text.length <= SHOWN_DIGITS ? `the number ${text}` : 'a longer number';
  }
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return 'an object';
}

const SHOWN_DIGITS = 40;

/** Writes an error message such as `expected an integer from 1 to 100, got a string of 3 characters`. */
export function expectedButGot(what: string, value: unknown): string {
  return value === undefined ? `is required: expected ${what}` : `expected ${what}, got ${kindOf(value)}`;
}
