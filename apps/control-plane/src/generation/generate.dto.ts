import { IsIn, ValidateBy } from 'class-validator';

import { Documented } from '../http/dto/documented.js';
import { IsInstant, IsIntegerBetween, IsSeed, Optional, expected } from '../http/dto/field-validators.js';
import { isRecord } from '../http/dto/read-dto.js';
import { ANSWER_FORMATS, type AnswerFormat } from './answer-format.js';

export const MAX_COUNT = 100_000;

const SCHEMA =
  'Generators by name, and which of them become the keys of each record, in order. See docs/generators.md for every generator.';
const SCHEMA_PROPERTIES = {
  generators: {
    type: 'object',
    description: 'Name → generator definition: `{type, …}`, `{use, params}` or an inline composition.',
    additionalProperties: true,
  },
  output: { type: 'array', items: { type: 'string' }, description: 'Names of generators, in order.' },
};

export class GenerateDto {
  /** Read by libs/generator. */
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
    'Random seed. The same request with the same seed and `now` gives the same records; drawn when left out.',
  )
  @Optional()
  @IsSeed()
  seed?: number;

  /** Without it the Accept header decides. */
  @Documented('Format of the answer. Left out, the `Accept` header decides.')
  @Optional()
  @IsIn(ANSWER_FORMATS, expected(ANSWER_FORMATS.map((format) => `"${format}"`).join(', ')))
  format?: AnswerFormat;

  /** The instant relative dates resolve against. */
  @Documented('Reference instant of relative dates (ISO 8601). Default: the start of the current UTC day.')
  @Optional()
  @IsInstant()
  now?: string;
}
