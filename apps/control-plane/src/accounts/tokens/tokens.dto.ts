import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn } from 'class-validator';

import { ROLES, type Role } from '../../platform/http/pipeline/caller.js';
import { Documented } from '../../platform/http/dto/documented.js';
import { IsIntegerBetween, IsName, Optional, expected } from '../../platform/http/dto/field-validators.js';
import { OptionalBody } from '../../platform/http/dto/no-fields.dto.js';
import { SCOPES, type Scope } from '../../platform/http/pipeline/scope.js';
import { DEFAULT_EXPIRY_DAYS, MAX_EXPIRY_DAYS } from './insert-token.js';
import { MAX_TOKEN_NAME } from './token-names.js';

const EXPIRY = 'Days until the token expires.';

export class CreateTokenDto {
  @Documented(
    'Name of the token. It must differ from the names of the other active tokens in more than the case of ASCII letters, compatibility forms, spaces and invisible characters.',
  )
  @IsName(MAX_TOKEN_NAME)
  name: string;

  @Documented("The role of the token, which cannot be above the caller's own role.")
  @IsIn(ROLES, expected(`one of ${ROLES.join(', ')}`))
  role: Role;

  @Documented(
    'Restricts the token to these scopes. Without them, the token may do everything that its role may do. `…:write` includes `…:read`.',
  )
  @Optional()
  @IsArray(expected('an array of scopes'))
  @ArrayNotEmpty(expected('at least one scope'))
  @ArrayUnique(expected('each scope once'))
  @IsIn(SCOPES, { each: true, message: `expected only scopes from ${SCOPES.join(', ')}` })
  scopes?: Scope[];

  @Documented(EXPIRY, { default: DEFAULT_EXPIRY_DAYS })
  @Optional()
  @IsIntegerBetween(1, MAX_EXPIRY_DAYS)
  expires_in_days?: number;
}

@OptionalBody()
export class RotateTokenDto {
  @Documented(EXPIRY, { default: DEFAULT_EXPIRY_DAYS })
  @Optional()
  @IsIntegerBetween(1, MAX_EXPIRY_DAYS)
  expires_in_days?: number;
}
