import { IsIn, ValidateBy } from 'class-validator';

import { IsInstant } from '../http/decorators/is-instant.js';
import { IsIntegerBetween, IsSeed } from '../http/decorators/is-integer-between.js';
import { Optional } from '../http/decorators/optional.js';
import { expected } from '../http/kind-of.js';
import { isRecord } from '../http/read-dto.js';
import { ANSWER_FORMATS, type AnswerFormat } from './answer-format.js';

export const MAX_COUNT = 100_000;

export class GenerateDto {
  /** Read by libs/generator. */
  @ValidateBy(
    { name: 'isSchema', validator: { validate: isRecord } },
    expected('an object {generators, output}'),
  )
  schema: Record<string, unknown>;

  @IsIntegerBetween(1, MAX_COUNT)
  count: number;

  @Optional()
  @IsSeed()
  seed?: number;

  /** Without it the Accept header decides. */
  @Optional()
  @IsIn(ANSWER_FORMATS, expected(ANSWER_FORMATS.map((format) => `"${format}"`).join(', ')))
  format?: AnswerFormat;

  /** The instant relative dates resolve against. */
  @Optional()
  @IsInstant()
  now?: string;
}
