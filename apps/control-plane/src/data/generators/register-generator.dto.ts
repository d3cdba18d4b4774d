import { DEFAULT_VERSION } from '@understudy/generator';
import { IsString, Length } from 'class-validator';

import { Anything, Optional, expected } from '../../platform/http/dto/field-validators.js';
import { Documented } from '../../platform/http/dto/documented.js';

/** A composition to register. libs/generator validates every field except the name. */
export class RegisterGeneratorDto {
  @Documented('`@<namespace>/<package>:<name>`.', { examples: ['@acme/people:greeting'] })
  @IsString(expected('a name like @acme/people:nickname'))
  @Length(1, 200, expected('a name like @acme/people:nickname, of at most 200 characters'))
  name: string;

  @Documented(`Semantic version. Default: ${DEFAULT_VERSION}.`, { type: 'string' })
  @Optional()
  @Anything()
  version?: unknown;

  @Documented('Description of the generated values.', { type: 'string' })
  @Optional()
  @Anything()
  description?: unknown;

  @Documented(
    'Parameters by name, each `{type, required?, default?, description?}`. A required parameter has no default.',
    {
      type: 'object',
      additionalProperties: true,
    },
  )
  @Optional()
  @Anything()
  params?: unknown;

  @Documented('Named steps in any order. Each step is a generator or an expression over other steps.', {
    type: 'object',
    additionalProperties: true,
  })
  @Optional()
  @Anything()
  let?: unknown;

  @Documented('Template of the generated text. Use it instead of `variants` and `output`.', {
    type: 'string',
  })
  @Optional()
  @Anything()
  body?: unknown;

  @Documented('Weighted templates. Each value uses one of them at random.', { type: 'array', items: {} })
  @Optional()
  @Anything()
  variants?: unknown;

  @Documented('Object whose leaves are templates. Use it instead of `body` and `variants`.')
  @Optional()
  @Anything()
  output?: unknown;
}
