import { DEFAULT_VERSION } from '@understudy/generator';
import { IsString, Length } from 'class-validator';

import { Anything, Optional, expected } from '../http/dto/field-validators.js';
import { Documented } from '../http/dto/documented.js';

/** A composition; all but its name is read by libs/generator. */
export class RegisterGeneratorDto {
  @Documented('`@<namespace>/<package>:<name>`.', { examples: ['@acme/people:greeting'] })
  @IsString(expected('a name like @acme/people:nickname'))
  @Length(1, 200, expected('a name like @acme/people:nickname, of at most 200 characters'))
  name: string;

  @Documented(`Semantic version; ${DEFAULT_VERSION} when absent.`, { type: 'string' })
  @Optional()
  @Anything()
  version?: unknown;

  @Documented('What it makes.', { type: 'string' })
  @Optional()
  @Anything()
  description?: unknown;

  @Documented(
    'Params by name, each `{type, required?, default?, description?}`; a required one has no default.',
    {
      type: 'object',
      additionalProperties: true,
    },
  )
  @Optional()
  @Anything()
  params?: unknown;

  @Documented('Named steps, in any order.', { type: 'object', additionalProperties: true })
  @Optional()
  @Anything()
  let?: unknown;

  @Documented('Template of one text; instead of `variants` and `output`.', { type: 'string' })
  @Optional()
  @Anything()
  body?: unknown;

  @Documented('Weighted templates, one of which is drawn.', { type: 'array', items: {} })
  @Optional()
  @Anything()
  variants?: unknown;

  @Documented('Object whose leaves are templates.')
  @Optional()
  @Anything()
  output?: unknown;
}
