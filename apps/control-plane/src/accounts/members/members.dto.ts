import { applyDecorators } from '@nestjs/common';
import { IsEmail, IsIn, IsString, Matches, MaxLength, ValidateBy } from 'class-validator';

import { ROLES, type Role } from '../../platform/http/pipeline/caller.js';
import { Documented } from '../../platform/http/dto/documented.js';
import { IsName, Optional, expected } from '../../platform/http/dto/field-validators.js';
import { hasVisibleName } from './email-address.js';

const ROLE = "The member's role, which cannot be above the caller's own role.";
const EMAIL = 'an e-mail address of at most 254 characters';
const IsRole = (): PropertyDecorator => IsIn(ROLES, expected(`one of ${ROLES.join(', ')}`));

export class InviteMemberDto {
  @Documented(
    'E-mail address. Addresses that differ only in the case of ASCII letters, in compatibility forms of characters or in invisible characters belong to the same member.',
  )
  @IsString(expected(EMAIL))
  @MaxLength(254, expected(EMAIL))
  @IsEmail({}, expected(EMAIL))
  @ValidateBy({ name: 'hasVisibleName', validator: { validate: hasVisibleName } }, expected(EMAIL))
  email: string;

  @Documented(ROLE)
  @IsRole()
  role: Role;
}

export class ChangeMemberDto {
  @Documented(ROLE)
  @IsRole()
  role: Role;
}

const IsInvitation = (): PropertyDecorator =>
  applyDecorators(
    IsString(expected('an invitation token')),
    // The message does not quote the value, which can be a secret.
    Matches(/^us_invite_[A-Za-z0-9_-]{1,200}$/, { message: 'expected an invitation token' }),
  );

/** The body of the call that shows an invitation. The order of fields in generated clients follows each class. */
export class InvitationDto {
  @IsInvitation()
  token: string;
}

export class AcceptInvitationDto {
  @Documented('The invitation token, which works once.')
  @IsInvitation()
  token: string;

  @Documented("The member's name.")
  @Optional()
  @IsName(200)
  name?: string;
}
