import type { RandomStream } from '@understudy/random';
import { EvaluationError } from '../errors.js';
import { typeName } from '../values/operators.js';
import { spend } from '../limits.js';
import { renderText } from '../values/render-text.js';

/** One entry of the function table. `min` and `max` bound the number of arguments, both included. */
export type ExpressionFunction =
  PureFunction | RandomFunction | LazyFunction<'if'> | LazyFunction<'coalesce'>;

/** The result depends on the arguments alone; `call` is given as many as the source has. */
export interface PureFunction {
  readonly kind: 'pure';
  readonly min: number;
  readonly max: number;
  readonly call: (...args: unknown[]) => unknown;
}

/** Draws from a stream that belongs to this place of the source. */
export interface RandomFunction {
  readonly kind: 'random';
  readonly min: number;
  readonly max: number;
  readonly call: (random: RandomStream, args: readonly unknown[]) => unknown;
}

/** Evaluates only the arguments it needs; the compiler knows how. */
export interface LazyFunction<Kind extends string> {
  readonly kind: Kind;
  readonly min: number;
  readonly max: number;
}

export function pure(min: number, max: number, call: (...args: unknown[]) => unknown): PureFunction {
  return { kind: 'pure', min, max, call };
}

/** An argument whose elements a function goes through; they are spent from the budget. @throws EvaluationError */
export function array(value: unknown, user: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new EvaluationError(`"${user}" needs an array, got ${typeName(value)}`);
  spend(value.length);
  return value;
}

/** An argument as text: as it would be written in a template. Its characters are spent from the budget. */
export function text(value: unknown): string {
  const written = typeof value === 'string' ? value : renderText(value);
  spend(written.length);
  return written;
}
