import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsString, Length } from 'class-validator';

import { ROLES, type Role } from '../http/caller.js';
import { IsIntegerBetween } from '../http/decorators/is-integer-between.js';
import { OptionalBody } from '../http/decorators/optional-body.js';
import { Optional } from '../http/decorators/optional.js';
import { expected } from '../http/kind-of.js';
import { SCOPES, type Scope } from '../http/scope.js';
import { MAX_EXPIRY_DAYS } from './token-expiry.js';

const NAME = 'a string of 1 to 100 characters';

export class CreateTokenDto {
  @IsString(expected(NAME))
  @Length(1, 100, expected(NAME))
  name: string;

  @IsIn(ROLES, expected(`one of ${ROLES.join(', ')}`))
  role: Role;

  /** Without it the token may do everything its role may. */
  @Optional()
  @IsArray(expected('an array of scopes'))
  @ArrayNotEmpty(expected('at least one scope'))
  @ArrayUnique(expected('each scope once'))
  @IsIn(SCOPES, { each: true, message: `expected scopes out of ${SCOPES.join(', ')}` })
  scopes?: Scope[];

  @Optional()
  @IsIntegerBetween(1, MAX_EXPIRY_DAYS)
  expires_in_days?: number;
}

@OptionalBody()
export class RotateTokenDto {
  @Optional()
  @IsIntegerBetween(1, MAX_EXPIRY_DAYS)
  expires_in_days?: number;
}
