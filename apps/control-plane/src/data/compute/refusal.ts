import {
  DefinitionError,
  GenerationError,
  type DefinitionErrorCode,
  type GenerationErrorCode,
  type Problem,
} from '@understudy/generator';

import { ApiError, type FieldProblem } from '../../platform/http/errors/api-error.js';

/** The problems that the engine found. They are plain data, because threads cannot exchange instances of classes. */
export interface Refusal {
  readonly code: DefinitionErrorCode | GenerationErrorCode;
  /** The problems, at least one. */
  readonly details: readonly FieldProblem[];
}

/** The input of a task has problems, possibly in several of its parts. */
export class TaskRefused extends Error {
  constructor(readonly refusal: Refusal) {
    super();
  }
}

/** The largest number of problems that a worker sends. A response shows only the first hundred. */
const MAX_DETAILS = 1_000;

/**
 * Converts a TaskRefused or an error of the engine to plain data.
 * @param root the path of the definition in the request; empty if the definition is the body itself
 * @returns undefined for any other error
 */
export function refusalOf(error: unknown, root: string): Refusal | undefined {
  if (error instanceof TaskRefused) return error.refusal;
  if (error instanceof DefinitionError) {
    const problems = error.problems.slice(0, MAX_DETAILS);
    return { code: error.code, details: problems.map((problem) => toFieldProblem(problem, root)) };
  }
  if (error instanceof GenerationError) {
    return { code: error.code, details: [{ field: below(root, error.path), message: error.reason }] };
  }
  return undefined;
}

export function toApiError({ code, details }: Refusal): ApiError {
  const [first] = details;
  const message = first ? `${first.field}: ${first.message}` : 'The definition is not valid.';
  return new ApiError(code, message, { details });
}

/** @param root as in `refusalOf` */
export function toFieldProblem({ path, message }: Problem, root: string): FieldProblem {
  return { field: below(root, path), message };
}

/** Joins two paths: `schema` and `generators.age` give `schema.generators.age`. An index gets no dot before it. */
function below(root: string, path: string): string {
  if (path === '') return root === '' ? 'body' : root;
  if (root === '') return path;
  return path.startsWith('[') ? root + path : `${root}.${path}`;
}
