import { compileSchema } from '../src/compile/compile-schema.js';
import { DefinitionError, GenerationError, type Problem } from '../src/definition/errors.js';
import { type CompileOptions } from '../src/registry/generator-type.js';
import { OPTIONS } from './test-model.js';

export type Json = Record<string, unknown>;

export const svc = (algorithm: string, params: Json = {}): Json => ({ type: 'svc', algorithm, params });

export function records(
  generators: unknown,
  output: unknown,
  count = 1,
  seed = 1,
  options: CompileOptions = OPTIONS,
): Json[] {
  return [...compileSchema({ generators, output }, options).records(seed, 0, count)];
}

/** Returns values of one generator, which may refer to `siblings`. */
export function values(
  definition: unknown,
  count: number,
  options: CompileOptions = OPTIONS,
  siblings: Json = {},
): unknown[] {
  return records({ ...siblings, it: definition }, ['it'], count, 1, options).map((record) => record['it']);
}

export function refusal(
  generators: unknown,
  output: unknown = ['it'],
  options: CompileOptions = OPTIONS,
): DefinitionError {
  return refusalOf(() => compileSchema({ generators, output }, options));
}

export function problems(definition: unknown, options: CompileOptions = OPTIONS): readonly Problem[] {
  return refusal({ it: definition }, ['it'], options).problems;
}

export function refusalOf(step: () => unknown): DefinitionError {
  const error = thrownBy(step);
  if (error instanceof DefinitionError) return error;
  throw error ?? new Error('the definition was not refused');
}

/** Returns the error of generating rows. Compiling must succeed. */
export function failure(
  definition: unknown,
  count = 1,
  options: CompileOptions = OPTIONS,
  siblings: Json = {},
): GenerationError {
  const plan = compileSchema({ generators: { ...siblings, it: definition }, output: ['it'] }, options);
  const error = thrownBy(() => [...plan.records(1, 0, count)]);
  if (error instanceof GenerationError) return error;
  throw error ?? new Error('generating rows did not fail');
}

function thrownBy(step: () => unknown): unknown {
  try {
    step();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Returns the JSON of a value. Bigints become texts that end in n. */
export function asText(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item));
}
