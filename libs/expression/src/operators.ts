import { EvaluationError } from './errors.js';
import { renderText, withinTextLimit } from './render-text.js';
import type { BinaryOperator } from './syntax-tree.js';

export type StrictOperator = Exclude<BinaryOperator, '&&' | '||'>;

/** The operators that need both sides; `&&` and `||` are closures of their own, since they may skip the right one. */
export const OPERATORS: Readonly<Record<StrictOperator, (left: unknown, right: unknown) => unknown>> = {
  '+': plus,
  '-': (left, right) => finite(number(left, '-') - number(right, '-'), '-'),
  '*': (left, right) => finite(number(left, '*') * number(right, '*'), '*'),
  '/': (left, right) => finite(number(left, '/') / number(right, '/'), '/'),
  '%': (left, right) => finite(number(left, '%') % number(right, '%'), '%'),
  '==': equal,
  '!=': (left, right) => !equal(left, right),
  '<': (left, right) => order(left, right, '<') < 0,
  '<=': (left, right) => order(left, right, '<=') <= 0,
  '>': (left, right) => order(left, right, '>') > 0,
  '>=': (left, right) => order(left, right, '>=') >= 0,
};

/** false, null, 0 and the empty text are not true; everything else is. */
export function truthy(value: unknown): boolean {
  return (
    value !== false && value !== null && value !== undefined && value !== 0 && value !== '' && value !== 0n
  );
}

export function negate(value: unknown): number {
  return -number(value, '-');
}

/** A member of the value's own: a property of an object, an element of an array; null where there is none. */
export function member(object: unknown, key: unknown): unknown {
  if (typeof object !== 'object' || object === null) return null;
  if (Array.isArray(object)) {
    return typeof key === 'number' ? ((object as unknown[])[key] ?? null) : null;
  }
  if (typeof key !== 'string' || !Object.hasOwn(object, key)) return null;
  return (object as Record<string, unknown>)[key] ?? null;
}

export function equal(left: unknown, right: unknown): boolean {
  if (isNumeric(left) && isNumeric(right)) return left == right; // eslint-disable-line eqeqeq -- a bigint and a number compare by value
  return (left ?? null) === (right ?? null);
}

/** The number that an operator or a function works on. Text is not coerced. */
export function number(value: unknown, user: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  throw new EvaluationError(`"${user}" needs a number, got ${typeName(value)}`);
}

export function finite(value: number, user: string): number {
  if (Number.isFinite(value)) return value;
  throw new EvaluationError(`the result of "${user}" is not a finite number`);
}

export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'a text' : `a ${typeof value === 'bigint' ? 'number' : typeof value}`;
}

/** Adds numbers; where one side is text, joins the two as text. */
function plus(left: unknown, right: unknown): unknown {
  if (typeof left === 'number' && typeof right === 'number') return finite(left + right, '+');
  if (typeof left === 'string' || typeof right === 'string') {
    return withinTextLimit(renderText(left) + renderText(right));
  }
  return finite(number(left, '+') + number(right, '+'), '+');
}

function order(left: unknown, right: unknown, user: string): number {
  if (isNumeric(left) && isNumeric(right)) return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  throw new EvaluationError(
    `"${user}" compares two numbers or two texts, got ${typeName(left)} and ${typeName(right)}`,
  );
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
