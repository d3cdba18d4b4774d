import { compileSchema, DefinitionError, type Problem } from '@understudy/generator';
import { OPTIONS } from './test-model.js';

export type Json = Record<string, unknown>;

export const svc = (algorithm: string, params: Json = {}): Json => ({ type: 'svc', algorithm, params });

export function records(generators: unknown, output: unknown, count = 1, seed = 1): Json[] {
  return [...compileSchema({ generators, output }, OPTIONS).records(seed, 0, count)];
}

export function values(definition: unknown, count: number): unknown[] {
  return records({ it: definition }, ['it'], count).map((record) => record['it']);
}

export function refusal(generators: unknown, output: unknown = ['it']): DefinitionError {
  try {
    compileSchema({ generators, output }, OPTIONS);
  } catch (error) {
    if (error instanceof DefinitionError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

export function problems(definition: unknown): readonly Problem[] {
  return refusal({ it: definition }).problems;
}
