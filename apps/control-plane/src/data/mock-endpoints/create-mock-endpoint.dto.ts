import { IsIn, IsString, ValidateBy, ValidateNested } from 'class-validator';

import {
  Anything,
  IsIntegerBetween,
  IsNumberBetween,
  Optional,
  expected,
} from '../../platform/http/dto/field-validators.js';
import { Documented } from '../../platform/http/dto/documented.js';
import { Nested, isRecord } from '../../platform/http/dto/read-dto.js';
import { DEFAULT_COUNT, MAX_COUNT, MAX_LATENCY_MS } from './mock-response.js';
import { MAX_PATH_CHARACTERS } from './path-pattern.js';

export const MOCK_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type MockMethod = (typeof MOCK_METHODS)[number];

/**
 * Who may call the endpoint. `none`: anyone who knows the URL. `token`: only API tokens of the organisation.
 */
export const MOCK_AUTHS = ['none', 'token'] as const;
export type MockAuth = (typeof MOCK_AUTHS)[number];

const oneOf = (values: readonly string[]) => expected(values.map((value) => `"${value}"`).join(', '));
const milliseconds = { type: 'integer', minimum: 0, maximum: MAX_LATENCY_MS };

export class MockResponseDto {
  @Documented(
    'Number of records in a response. A caller can request another number with `?count=`, up to 1,000. The limits of `POST /generate` apply, and a response has at most 8 MiB.',
    { default: DEFAULT_COUNT },
  )
  @Optional()
  @IsIntegerBetween(1, MAX_COUNT)
  count?: number;

  @Documented(
    'The body of the response: JSON whose strings are templates. A string that is one whole expression, such as `{{records}}` or `{{count}}`, keeps the type of its value. `params` holds the parameters of the path. By default, the body is the array of records.',
    { type: ['object', 'array', 'string'], examples: [{ data: '{{records}}', total: '{{count}}' }] },
  )
  @Optional()
  @Anything()
  wrapper?: unknown;

  @Documented('Status of the response. Redirects (300 to 399) are refused.', { default: 200 })
  @Optional()
  @IsIntegerBetween(200, 599)
  status?: number;

  @Documented(
    'Additional headers of the response. Headers that control encoding, access or browser behaviour are refused.',
    { type: 'object', additionalProperties: { type: 'string', maxLength: 1_024 }, maxProperties: 20 },
  )
  @Optional()
  @Anything()
  headers?: unknown;

  @Documented(
    'Delay of the response in milliseconds: a fixed number, or a range from which each call gets a random delay.',
    {
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
    },
  )
  @Optional()
  @Anything()
  latency_ms?: unknown;

  @Documented('Share of the calls that fail with status 500, from 0 to 1.', { default: 0 })
  @Optional()
  @IsNumberBetween(0, 1)
  fail_rate?: number;
}

export class CreateMockEndpointDto {
  @Documented(
    'Path of the endpoint. A segment that starts with a colon is a parameter, which matches any value.',
    {
      pattern: '^/',
      maxLength: MAX_PATH_CHARACTERS,
      examples: ['/api/users/:id'],
    },
  )
  @IsString(expected('a path like /api/users/:id'))
  path: string;

  @Documented('The method of the endpoint. GET includes HEAD.')
  @IsIn(MOCK_METHODS, oneOf(MOCK_METHODS))
  method: MockMethod;

  /** libs/generator validates the schema. */
  @Documented('The schema of the records, as in `POST /generate`. Generators can refer to `params`.', {
    additionalProperties: true,
  })
  @ValidateBy(
    { name: 'isSchema', validator: { validate: isRecord } },
    expected('an object {generators, output}'),
  )
  schema: Record<string, unknown>;

  @Documented('The response of the endpoint.')
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
