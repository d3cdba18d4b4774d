import { IsString, Length } from 'class-validator';

import { Optional, expected } from '../../platform/http/dto/field-validators.js';

const SECRET = 'a string of 1 to 200 characters';

/** Exactly one of the fields is set. */
export class SignInDto {
  @Optional()
  @IsString(expected(SECRET))
  @Length(1, 200, expected(SECRET))
  token?: string;

  @Optional()
  @IsString(expected(SECRET))
  @Length(1, 200, expected(SECRET))
  link?: string;
}

export class CreateSignInLinkDto {
  @IsString(expected('the id of a member'))
  @Length(1, 100, expected('the id of a member'))
  member_id: string;
}
