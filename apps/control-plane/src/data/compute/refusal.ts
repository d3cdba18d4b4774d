import { DefinitionError, GenerationError, type Problem } from '@understudy/generator';

import { ApiError, type ApiErrorCode, type FieldProblem } from '../../platform/http/errors/api-error.js';

/** An ApiError as plain data, because threads cannot exchange instances of classes. */
export type Refusal = Pick<ApiError, 'code' | 'message' | 'details'>;

/** The largest number of problems that a worker sends. A response shows only the first hundred. */
const MAX_DETAILS = 1_000;

/**
 * Converts an ApiError or an error of the engine to plain data.
 * @param root the path of the definition in the request; empty if the definition is the body itself
 * @returns undefined for any other error
 */
export function refusalOf(error: unknown, root: string): Refusal | undefined {
  if (error instanceof ApiError) return { code: error.code, message: error.message, details: error.details };
  if (error instanceof DefinitionError) {
    const problems = error.problems.slice(0, MAX_DETAILS);
    return refusal(
      error.code,
      problems.map((problem) => toFieldProblem(problem, root)),
    );
  }
  if (error instanceof GenerationError) {
    return refusal(error.code, [{ field: below(root, error.path), message: error.reason }]);
  }
  return undefined;
}

export function refusal(code: ApiErrorCode, details: readonly FieldProblem[]): Refusal {
  const [first] = details;
  const message = first ? `${first.field}: ${first.message}` : 'The definition is not valid.';
  return { code, message, details };
}

export function toApiError({ code, message, details }: Refusal): ApiError {
  return new ApiError(code, message, details ? { details } : {});
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
