import { IsIn, ValidateBy } from 'class-validator';

import { Documented } from '../../platform/http/dto/documented.js';
import {
  IsInstant,
  IsIntegerBetween,
  IsSeed,
  Optional,
  expected,
} from '../../platform/http/dto/field-validators.js';
import { isRecord } from '../../platform/http/dto/read-dto.js';
import { RESPONSE_FORMATS, type ResponseFormat } from './response-format.js';

export const MAX_COUNT = 100_000;

const SCHEMA =
  'Generators by name, and the names of those that become the keys of each record, in order. See docs/reference/generators.md for all generators.';
const SCHEMA_PROPERTIES = {
  generators: {
    type: 'object',
    description: 'Generator definitions by name: `{type, …}`, `{use, params}` or an inline composition.',
    additionalProperties: true,
  },
  output: { type: 'array', items: { type: 'string' }, description: 'Names of generators, in order.' },
};

export class GenerateDto {
  /** libs/generator validates the contents of the schema. */
  @Documented(SCHEMA, { properties: SCHEMA_PROPERTIES, required: ['generators', 'output'] })
  @ValidateBy(
    { name: 'isSchema', validator: { validate: isRecord } },
    expected('an object {generators, output}'),
  )
  schema: Record<string, unknown>;

  @Documented('Number of records.')
  @IsIntegerBetween(1, MAX_COUNT)
  count: number;

  @Documented(
    'Random seed. The same request with the same seed and `now` gives the same records. By default, the server chooses a random seed.',
  )
  @Optional()
  @IsSeed()
  seed?: number;

  @Documented('Format of the response. By default, the `Accept` header decides.')
  @Optional()
  @IsIn(RESPONSE_FORMATS, expected(RESPONSE_FORMATS.map((format) => `"${format}"`).join(', ')))
  format?: ResponseFormat;

  @Documented('Time to which relative dates refer (ISO 8601). Default: the start of the current UTC day.')
  @Optional()
  @IsInstant()
  now?: string;
}
