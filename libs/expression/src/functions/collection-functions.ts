import type { RandomStream } from '@understudy/random';
import { EvaluationError } from '../errors.js';
import { member, number, typeName } from '../operators.js';
import { pure, type PureFunction } from './expression-function.js';
import { text } from './text-argument.js';

export const COLLECTION_FUNCTIONS: readonly (readonly [string, PureFunction])[] = [
  ['first', pure(1, 1, (value) => items(value, 'first')[0] ?? null)],
  ['last', pure(1, 1, (value) => items(value, 'last').at(-1) ?? null)],
  ['at', pure(2, 2, at)],
];

/** One of the arguments, or of the elements of the one array given, every one equally likely. */
export function pick(random: RandomStream, args: readonly unknown[]): unknown {
  const [only] = args;
  const choices = args.length === 1 && Array.isArray(only) ? (only as unknown[]) : args;
  if (choices.length === 0) throw new EvaluationError('"pick" of an empty array');
  return choices[random.below(choices.length)] ?? null;
}

/** Element `index` of an array or text (from 0; negative counts from the end), or member `index` of an object. */
function at(value: unknown, index: unknown): unknown {
  if (typeof index === 'string') return member(value, index);
  return items(value, 'at').at(Math.floor(number(index, 'at'))) ?? null;
}

function items(value: unknown, user: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return Array.from(text(value));
  throw new EvaluationError(`"${user}" needs an array or a text, got ${typeName(value)}`);
}
