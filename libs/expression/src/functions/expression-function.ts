import type { RandomStream } from '@understudy/random';
import { EvaluationError } from '../errors.js';
import { typeName } from '../values/operand.js';
import { spend } from '../limits.js';
import { renderText } from '../values/render-text.js';

/** One entry of the function table. `min` and `max` bound the number of arguments, both included. */
export type ExpressionFunction =
  | PureFunction
  | RandomFunction
  | LazyFunction<'if'>
  | LazyFunction<'coalesce'>;

/**
 * A function whose result depends only on its arguments. `call` receives the values of the arguments that the
 * source passes.
 */
export interface PureFunction {
  readonly kind: 'pure';
  readonly min: number;
  readonly max: number;
  readonly call: (...args: unknown[]) => unknown;
  /**
   * Returns a message about arguments that give a result which the author cannot have meant.
   * @param args the literals of the source; undefined for any other argument
   */
  readonly mistakeIn?: (args: readonly unknown[]) => string | undefined;
  /**
   * Reads an argument by its position before each call, unless it is a literal. It refuses values that `mistakeIn`
   * refuses, and that stored literals keep.
   */
  readonly dataReaders?: ReadonlyMap<number, Reader>;
}

/**
 * A function with random results. Each call in the source has a separate random stream, which depends on the
 * position of the call.
 */
export interface RandomFunction {
  readonly kind: 'random';
  readonly min: number;
  readonly max: number;
  readonly call: (random: RandomStream, args: readonly unknown[]) => unknown;
}

/** A function that evaluates only the arguments that it needs. The compiler implements it. */
export interface LazyFunction<Kind extends string> {
  readonly kind: Kind;
  readonly min: number;
  readonly max: number;
}

/** Reads one argument of a function for its use. @throws EvaluationError if the function never accepts the value */
export type Reader = (value: unknown, user: string) => unknown;

export function pure(min: number, max: number, call: (...args: unknown[]) => unknown): PureFunction {
  return { kind: 'pure', min, max, call };
}

/**
 * Creates the entry of a function that accepts only some values, so that its constants are checked in advance.
 * @param readers one for each argument; the last one is also for all further arguments
 * @param called the function without `mistakeIn`
 */
export function reading(
  name: string,
  readers: readonly Reader[],
  called: PureFunction,
): readonly [string, PureFunction] {
  const mistakeIn = (args: readonly unknown[]): string | undefined => {
    for (const [i, value] of args.entries()) {
      const problem = problemOf(readers[i] ?? readers.at(-1), value, name);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  return [name, { ...called, mistakeIn }];
}

/** Returns the message with which `read` refuses a constant. @param value undefined if the argument is no constant */
export function problemOf(read: Reader | undefined, value: unknown, name: string): string | undefined {
  if (value === undefined) return undefined;
  try {
    read?.(value, name);
    return undefined;
  } catch (error) {
    if (error instanceof EvaluationError) return error.message;
    throw error;
  }
}

/** Reads an argument that may have any value. */
export const anything: Reader = () => undefined;

/**
 * Returns an argument that must be an array. Subtracts its length from the work budget. @throws
 * EvaluationError
 */
export function array(value: unknown, user: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new EvaluationError(`"${user}" needs an array, got ${typeName(value)}`);
  spend(value.length);
  return value;
}

/** Converts an argument to text as a template does. Subtracts its length from the work budget. */
export function text(value: unknown): string {
  const written = typeof value === 'string' ? value : renderText(value);
  spend(written.length);
  return written;
}
