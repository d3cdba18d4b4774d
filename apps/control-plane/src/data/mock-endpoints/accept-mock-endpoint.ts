import { writeExactJson } from '@understudy/expression';

import type { MockSources } from '../compute/tasks.js';
import type { CheckedMock } from './serving/response-generator.js';
import type { MockDefinition } from '../compute/mocks/mock-definition.js';
import { hasInvisible } from '../../platform/http/dto/comparable-text.js';
import { ApiError, validationError, type FieldProblem } from '../../platform/http/errors/api-error.js';
import type { CreateMockEndpointDto } from './create-mock-endpoint.dto.js';
import type { MockEndpointEntity } from './mock-endpoint.entity.js';
import { responseProblems, toMockResponse } from './accept-response.js';
import { parsePathPattern } from './path-pattern.js';

export interface AcceptedEndpoint {
  readonly columns: Omit<MockEndpointEntity, 'id' | 'organizationId' | 'createdAt'>;
  readonly sources: MockSources;
  readonly warnings: readonly FieldProblem[];
}

/**
 * The limit on the schema and the wrapper together, in bytes of JSON. Both are sent to a worker thread for
 * every batch of responses.
 */
const MAX_DEFINITION_BYTES = 256 * 1024;
/** The limit on an endpoint's copies of registered compositions, in bytes of JSON. */
const MAX_COMPOSITION_BYTES = 1024 * 1024;

/**
 * Checks the definition of an endpoint, and converts it to the columns of the endpoint's row.
 * @param check compiles a definition for `count` records, and returns warnings and the models and
 * compositions that the definition uses
 * @throws ApiError `validation_error` or `limit_exceeded`
 */
export async function acceptMockEndpoint(
  { path, method, schema, response: dto, auth = 'none' }: CreateMockEndpointDto,
  check: (definition: MockDefinition, count: number) => Promise<CheckedMock>,
): Promise<AcceptedEndpoint> {
  const problems: FieldProblem[] = [];
  if (path.includes('*')) {
    const message = 'expected a path without *, which is no wildcard here; use a parameter like :id';
    problems.push({ field: 'path', message });
  }
  if (hasInvisible(path))
    problems.push({ field: 'path', message: 'expected a path without invisible characters' });
  const parsed = parsePathPattern(path);
  if ('problem' in parsed) problems.push({ field: 'path', message: parsed.problem });
  problems.push(...responseProblems(dto ?? {}));
  if (problems.length > 0 || 'problem' in parsed) throw validationError(problems);
  const response = toMockResponse(dto);
  const definition = { schema, wrapper: response.wrapper };
  if (Buffer.byteLength(writeExactJson(definition)) > MAX_DEFINITION_BYTES)
    throw tooLarge(
      `The schema and the wrapper together must have at most ${MAX_DEFINITION_BYTES} bytes of JSON.`,
    );
  const { sources, warnings } = await check(definition, response.count);
  const compositionsJson = JSON.stringify(sources.compositions);
  if (Buffer.byteLength(compositionsJson) > MAX_COMPOSITION_BYTES)
    throw tooLarge(
      `The compositions that the schema uses must have at most ${MAX_COMPOSITION_BYTES} bytes of JSON.`,
    );
  return {
    columns: {
      method,
      path,
      shape: parsed.pattern.shape,
      auth,
      schemaJson: writeExactJson(schema),
      responseJson: writeExactJson(response),
      modelsJson: JSON.stringify(sources.models),
      compositionsJson,
    },
    sources,
    warnings,
  };
}

function tooLarge(message: string): ApiError {
  return new ApiError('limit_exceeded', message);
}
