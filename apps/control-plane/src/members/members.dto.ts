import { IsEmail, IsIn, IsString, Length, Matches, MaxLength } from 'class-validator';

import { ROLES, type Role } from '../http/pipeline/caller.js';
import { Documented } from '../http/dto/documented.js';
import { Optional, expected } from '../http/dto/field-validators.js';

const ROLE = "The member's role: at most the caller's own.";
const EMAIL = 'an e-mail address of at most 254 characters';
const IsRole = (): PropertyDecorator => IsIn(ROLES, expected(`one of ${ROLES.join(', ')}`));

export class InviteMemberDto {
  @Documented('E-mail address; in any case of letters it is one member.')
  @IsString(expected(EMAIL))
  @MaxLength(254, expected(EMAIL))
  @IsEmail({}, expected(EMAIL))
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

export class AcceptInvitationDto {
  @Documented('The invitation token, which works once.')
  @IsString(expected('an invitation token'))
  @Matches(/^us_invite_[A-Za-z0-9_-]{1,200}$/, { message: 'expected an invitation token' })
  token: string;

  @Documented('What the member is called.')
  @Optional()
  @IsString(expected('a string of 1 to 200 characters'))
  @Length(1, 200, expected('a string of 1 to 200 characters'))
  name?: string;
}
