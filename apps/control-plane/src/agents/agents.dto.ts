import { IsISO8601, IsString, Matches } from 'class-validator';

export class EnrolAgentDto {
  @Matches(/^[A-Za-z0-9_-]{1,200}$/, { message: 'expected an enrolment token' })
  token: string;

  @Matches(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/, {
    message: 'expected 1 to 63 letters, digits, spaces, dots, dashes or underscores',
  })
  name: string;

  @Matches(/^U[A-Z2-7]{55}$/, { message: 'expected the public key of a NATS user' })
  nats_public_key: string;

  @Matches(/^[A-Za-z0-9+/]{43}=$/, { message: 'expected 32 bytes in base64' })
  sealing_public_key: string;
}

/** What an agent signs with its NATS key. */
export class SignedByAgentDto {
  @Matches(/^agt_[0-9A-Z]{26}$/, { message: 'expected an agent id' })
  agent_id: string;

  @IsString({ message: 'expected an ISO 8601 time' })
  @IsISO8601({ strict: true }, { message: 'expected an ISO 8601 time' })
  issued_at: string;

  @Matches(/^[A-Za-z0-9_-]{16,64}$/, { message: 'expected 16 to 64 characters of base64url' })
  nonce: string;

  @Matches(/^[A-Za-z0-9+/]{86}==$/, { message: 'expected 64 bytes in base64' })
  signature: string;
}

export class RenewAgentDto extends SignedByAgentDto {}
