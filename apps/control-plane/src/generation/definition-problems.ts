import { DefinitionError, GenerationError } from '@understudy/generator';

import { ApiError } from '../http/api-error.js';

/** What the engine found wrong, with paths as the request has them; anything else is passed on. */
export function asGenerationRefusal(error: unknown, root: string): unknown {
  if (error instanceof DefinitionError) {
    const details = error.problems.map(({ path, message }) => ({ field: below(root, path), message }));
    return new ApiError(error.code, summary(details), { details, cause: error });
  }
  if (error instanceof GenerationError) {
    const details = [{ field: below(root, error.path), message: error.reason }];
    return new ApiError(error.code, summary(details), { details, cause: error });
  }
  return error;
}

/** `below('schema', 'generators.age')` is `schema.generators.age`; a path that begins with an index gets no dot. */
export function below(root: string, path: string): string {
  if (path === '') return root;
  return path.startsWith('[') ? root + path : `${root}.${path}`;
}

function summary(details: readonly { field: string; message: string }[]): string {
  const [first] = details;
  return first ? `${first.field}: ${first.message}` : 'The definition is not valid.';
}
