import { validationError } from '../errors/api-error.js';
import { roundedNumberProblems } from '../pipeline/json-body.js';
import { readDto } from './read-dto.js';
import { unstorableText } from './storable-text.js';

/** A class of DTOs, with special messages for some unknown fields. */
export type CheckedDto<T extends object> = (new () => T) & { readonly hints?: ReadonlyMap<string, string> };

/**
 * Converts a parsed body or query string to a DTO. Worker threads use this function, so it imports nothing of NestJS.
 * @throws ApiError `validation_error` with all problems
 */
export function checkedDto<T extends object>(dto: CheckedDto<T>, value: unknown, root: 'body' | 'query'): T {
  const unstorable = unstorableText(value);
  if (unstorable.length > 0) throw validationError(unstorable);
  const read = readDto(dto, value, { root, ...(dto.hints ? { hints: dto.hints } : {}) });
  const rounded = roundedNumberProblems(value);
  if (!('problems' in read) && rounded.length === 0) return read.dto;
  const problems = 'problems' in read ? read.problems : [];
  // A field of the DTO knows which numbers it expects.
  const others = rounded.filter(({ field }) => !problems.some((problem) => problem.field === field));
  throw validationError([...problems, ...others]);
}
