import { IsIn, IsString, ValidateBy, ValidateNested } from 'class-validator';

import {
  Anything,
  IsIntegerBetween,
  IsNumberBetween,
  Optional,
  expected,
} from '../http/dto/field-validators.js';
import { Documented } from '../http/dto/documented.js';
import { Nested, isRecord } from '../http/dto/read-dto.js';
import { DEFAULT_COUNT, MAX_COUNT, MAX_LATENCY_MS } from './mock-response.js';
import { MAX_PATH_CHARACTERS } from './path-pattern.js';

export const MOCK_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type MockMethod = (typeof MOCK_METHODS)[number];

/** `none`: who knows the URL may call it · `token`: API tokens of the organisation alone. */
export const MOCK_AUTHS = ['none', 'token'] as const;
export type MockAuth = (typeof MOCK_AUTHS)[number];

const oneOf = (values: readonly string[]) => expected(values.map((value) => `"${value}"`).join(', '));
const milliseconds = { type: 'integer', minimum: 0, maximum: MAX_LATENCY_MS };

export class MockResponseDto {
  @Documented(
    'Number of records of a call; `?count=` asks for another one, of at most 1,000. The budgets of `POST /generate` hold, and an answer has at most 8 MiB.',
    { default: DEFAULT_COUNT },
  )
  @Optional()
  @IsIntegerBetween(1, MAX_COUNT)
  count?: number;

  @Documented(
    'The body: JSON whose string leaves are templates. `{{records}}`, `{{count}}` and any other leaf that is one whole expression keep their type; `params` holds the parameters of the path. Left out, the body is the array of records.',
    { type: ['object', 'array', 'string'], examples: [{ data: '{{records}}', total: '{{count}}' }] },
  )
  @Optional()
  @Anything()
  wrapper?: unknown;

  @Documented('Status of the answer; none that redirects.', { default: 200 })
  @Optional()
  @IsIntegerBetween(200, 599)
  status?: number;

  @Documented(
    'Further headers of the answer. Refused are those that say how bytes are read, who may read them, and what a browser does because of them.',
    { type: 'object', additionalProperties: { type: 'string', maxLength: 1_024 }, maxProperties: 20 },
  )
  @Optional()
  @Anything()
  headers?: unknown;

  @Documented('How long an answer takes: always the same, or drawn from a range.', {
    oneOf: [
      milliseconds,
      {
        type: 'object',
        properties: { min: milliseconds, max: milliseconds },
        required: ['min', 'max'],
        additionalProperties: false,
      },
    ],
    default: 0,
  })
  @Optional()
  @Anything()
  latency_ms?: unknown;

  @Documented('Share of the calls that fail with status 500.', { default: 0 })
  @Optional()
  @IsNumberBetween(0, 1)
  fail_rate?: number;
}

export class CreateMockEndpointDto {
  @Documented(
    'Path of the endpoint. A segment that begins with a colon is a parameter and takes any value.',
    {
      pattern: '^/',
      maxLength: MAX_PATH_CHARACTERS,
      examples: ['/api/users/:id'],
    },
  )
  @IsString(expected('a path like /api/users/:id'))
  path: string;

  @Documented('The method that is served. GET serves HEAD too.')
  @IsIn(MOCK_METHODS, oneOf(MOCK_METHODS))
  method: MockMethod;

  /** Read by libs/generator. */
  @Documented('What records are made of, as in `POST /generate`. Generators may refer to `params`.', {
    additionalProperties: true,
  })
  @ValidateBy(
    { name: 'isSchema', validator: { validate: isRecord } },
    expected('an object {generators, output}'),
  )
  schema: Record<string, unknown>;

  @Documented('What the answer looks like.')
  @Optional()
  @ValidateBy(
    { name: 'isPlainObject', validator: { validate: isRecord } },
    expected('an object {count, wrapper}'),
  )
  @ValidateNested()
  @Nested(() => MockResponseDto)
  response?: MockResponseDto;

  @Documented('`token`: calls need an API token of the organisation. `none`: the URL is enough.', {
    default: 'none',
  })
  @Optional()
  @IsIn(MOCK_AUTHS, oneOf(MOCK_AUTHS))
  auth?: MockAuth;
}
