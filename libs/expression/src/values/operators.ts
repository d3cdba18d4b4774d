import { EvaluationError } from '../errors.js';
import { ADD, compareNumbers, compute, DIVIDE, MULTIPLY, REMAINDER, SUBTRACT } from './arithmetic.js';
import { hasMembers } from './exact-decimal.js';
import { isNumeric, typeName } from './operand.js';
import { ownValue } from './value-size.js';
import { withinTextLimit } from './render-text.js';
import type { BinaryOperator } from '../parse/syntax-tree.js';
import { spend } from '../limits.js';

export type StrictOperator = Exclude<BinaryOperator, '&&' | '||'>;

/**
 * The operators that evaluate both sides. `&&` and `||` are separate closures, because they may skip the
 * right side.
 */
export const OPERATORS: Readonly<Record<StrictOperator, (left: unknown, right: unknown) => unknown>> = {
  '+': plus,
  '-': (left, right) => compute(SUBTRACT, left, right),
  '*': (left, right) => compute(MULTIPLY, left, right),
  '/': (left, right) => compute(DIVIDE, left, right),
  '%': (left, right) => compute(REMAINDER, left, right),
  '==': equal,
  '!=': (left, right) => !equal(left, right),
  '<': (left, right) => order(left, right, '<') < 0,
  '<=': (left, right) => order(left, right, '<=') <= 0,
  '>': (left, right) => order(left, right, '>') > 0,
  '>=': (left, right) => order(left, right, '>=') >= 0,
};

/** Returns false for false, null, 0 and the empty text, and true for any other value. */
export function truthy(value: unknown): boolean {
  return (
    value !== false && value !== null && value !== undefined && value !== 0 && value !== '' && value !== 0n
  );
}

/** Returns an own property of an object or an element of an array. Returns null if there is none. */
export function member(object: unknown, key: unknown): unknown {
  if (!hasMembers(object)) return null;
  if (!Array.isArray(object)) return typeof key === 'string' ? (ownValue(object, key) ?? null) : null;
  const isIndex = typeof key === 'number' && Number.isInteger(key) && key >= 0 && key < object.length;
  return isIndex ? ((object as unknown[])[key] ?? null) : null;
}

export function equal(left: unknown, right: unknown): boolean {
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right) === 0;
  return (left ?? null) === (right ?? null);
}

/** Adds two numbers or joins two texts. */
function plus(left: unknown, right: unknown): unknown {
  if (typeof left === 'string' && typeof right === 'string') {
    const joined = left + right;
    spend(joined.length);
    return withinTextLimit(joined);
  }
  if (isNumeric(left) && isNumeric(right)) return compute(ADD, left, right);
  throw new EvaluationError(
    `"+" adds two numbers or joins two texts, got ${typeName(left)} and ${typeName(right)}; concat() joins values of any kind`,
  );
}

function order(left: unknown, right: unknown, user: string): number {
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  throw new EvaluationError(
    `"${user}" compares two numbers or two texts, got ${typeName(left)} and ${typeName(right)}`,
  );
}
