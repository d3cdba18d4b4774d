import type { RandomStream } from '@understudy/random';

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
