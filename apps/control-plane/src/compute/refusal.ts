import {
  DefinitionError,
  GenerationError,
  type DefinitionErrorCode,
  type GenerationErrorCode,
  type Problem,
} from '@understudy/generator';

import { ApiError, type FieldProblem } from '../http/errors/api-error.js';

/** The problems that the engine found, as plain data, because classes do not pass between threads. */
export interface Refusal {
  readonly code: DefinitionErrorCode | GenerationErrorCode;
  /** At least one. */
  readonly details: readonly FieldProblem[];
}

/** Thrown by a task whose input has problems in more than one place. */
export class TaskRefused extends Error {
  constructor(readonly refusal: Refusal) {
    super();
  }
}

/** An answer shows a hundred; a body of wrong values must not become a message of a million. */
const MAX_DETAILS = 1_000;

/**
 * @param root the path of the definition in the request; empty if the definition is the body itself
 * @returns undefined for anything but an error of the engine or TaskRefused
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

/** `below('schema', 'generators.age')` is `schema.generators.age`; a path that begins with an index gets no dot. */
function below(root: string, path: string): string {
  if (path === '') return root === '' ? 'body' : root;
  if (root === '') return path;
  return path.startsWith('[') ? root + path : `${root}.${path}`;
}
