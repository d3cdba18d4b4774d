import { IsString, Length } from 'class-validator';

import { Anything } from '../http/decorators/anything.js';
import { expected } from '../http/kind-of.js';

/** A composition; all but its name is read by libs/generator. */
export class RegisterGeneratorDto {
  @IsString(expected('a name like @acme/people:nickname'))
  @Length(1, 200, expected('a name like @acme/people:nickname, of at most 200 characters'))
  name: string;

  @Anything()
  version?: unknown;

  @Anything()
  description?: unknown;

  @Anything()
  params?: unknown;

  @Anything()
  let?: unknown;

  @Anything()
  body?: unknown;

  @Anything()
  variants?: unknown;

  @Anything()
  output?: unknown;
}
