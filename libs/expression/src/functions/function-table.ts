import { type RandomStream, uuidV4 } from '@understudy/random';
import { EvaluationError } from '../errors.js';
import { member } from '../values/operators.js';
import { number, typeName } from '../values/operand.js';
import {
  anything,
  pure,
  type PureFunction,
  reading,
  text,
  type ExpressionFunction,
} from './expression-function.js';
import { DATE_FUNCTIONS } from './date-functions.js';
import { NUMBER_FUNCTIONS } from './number-functions.js';
import { TEXT_FUNCTIONS } from './text-functions.js';

export const COLLECTION_FUNCTIONS: readonly (readonly [string, PureFunction])[] = [
  reading(
    'first',
    [items],
    pure(1, 1, (value) => items(value, 'first')[0] ?? null),
  ),
  reading(
    'last',
    [items],
    pure(1, 1, (value) => items(value, 'last').at(-1) ?? null),
  ),
  reading('at', [anything, index], pure(2, 2, at)),
];

/** Picks one of the arguments, or one element if the only argument is an array, with equal probability. */
export function pick(random: RandomStream, args: readonly unknown[]): unknown {
  const [only] = args;
  const choices = args.length === 1 && Array.isArray(only) ? (only as unknown[]) : args;
  if (choices.length === 0) throw new EvaluationError('"pick" got an empty array');
  return choices[random.below(choices.length)] ?? null;
}

/**
 * Returns element `place` of an array or text, or member `place` of an object. Elements count from 0;
 * negative indexes count from the end.
 */
function at(value: unknown, place: unknown): unknown {
  if (typeof place === 'string') return member(value, place);
  return items(value, 'at').at(Math.floor(number(place, 'at'))) ?? null;
}

/** Reads a constant index. */
function index(value: unknown, user: string): void {
  if (typeof value !== 'string' && !Number.isInteger(number(value, user)))
    throw new EvaluationError(`"${user}" needs a whole number or the name of a member`);
}

function items(value: unknown, user: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return Array.from(text(value));
  throw new EvaluationError(`"${user}" needs an array or a text, got ${typeName(value)}`);
}

/** Every function that an expression can call. Users cannot add functions. */
export const FUNCTIONS: ReadonlyMap<string, ExpressionFunction> = new Map<string, ExpressionFunction>([
  ...TEXT_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...COLLECTION_FUNCTIONS,
  ['if', { kind: 'if', min: 2, max: 3 }],
  ['coalesce', { kind: 'coalesce', min: 1, max: 100 }],
  ['uuid', { kind: 'random', min: 0, max: 0, call: (random) => uuidV4(random) }],
  ['pick', { kind: 'random', min: 1, max: 100, call: pick }],
]);
