import { IsBoolean, IsISO8601, IsString, Matches } from 'class-validator';

import { Documented } from '../../platform/http/dto/documented.js';
import { expected, Optional } from '../../platform/http/dto/field-validators.js';

export class EnrolAgentDto {
  @Documented('An unused enrolment token.')
  @Matches(/^[A-Za-z0-9_-]{1,200}$/, { message: 'expected an enrolment token' })
  token: string;

  @Documented('Name of the agent, shown in lists.')
  @Matches(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/, {
    message: 'expected 1 to 63 letters, digits, spaces, dots, dashes or underscores',
  })
  name: string;

  @Documented('Public NKey of the NATS user. Its seed stays with the agent.')
  @Matches(/^U[A-Z2-7]{55}$/, { message: 'expected the public key of a NATS user' })
  nats_public_key: string;

  @Documented('X25519 public key to which connection strings are sealed (HPKE), in base64.')
  @Matches(/^[A-Za-z0-9+/]{43}=$/, { message: 'expected 32 bytes in base64' })
  sealing_public_key: string;
}

/** The fields of a request that an agent signs with its NATS key. */
export class SignedByAgentDto {
  @Documented('Id of the agent.')
  @Matches(/^agt_[0-9A-Z]{26}$/, { message: 'expected an agent id' })
  agent_id: string;

  @Documented(
    'Time at which the request was signed. It may differ from the clock of the server by at most one minute.',
  )
  @IsString({ message: 'expected an ISO 8601 time' })
  @IsISO8601({ strict: true }, { message: 'expected an ISO 8601 time' })
  issued_at: string;

  @Documented('Random text in base64url. Each nonce is accepted once.')
  @Matches(/^[A-Za-z0-9_-]{16,64}$/, { message: 'expected 16 to 64 characters of base64url' })
  nonce: string;

  @Documented("Ed25519 signature of agent, time and nonce by the agent's NKey, in base64.")
  @Matches(/^[A-Za-z0-9+/]{86}==$/, { message: 'expected 64 bytes in base64' })
  signature: string;
}

export class RenewAgentDto extends SignedByAgentDto {
  @Documented(
    'Random id that a process creates at its start, in base64url. Agents before 0.1.0 do not send it.',
  )
  @Optional()
  @Matches(/^[A-Za-z0-9_-]{16,64}$/, { message: 'expected 16 to 64 characters of base64url' })
  instance?: string;

  @Documented(
    'True until the first renewal of a process has succeeded. Older processes of the agent are then disconnected. Needs `instance`.',
  )
  @Optional()
  @IsBoolean(expected('true or false'))
  take_over?: boolean;
}

/**
 * Returns the text that an agent signs with its NATS key to get its next JWT. The first version of the text has no
 * instance.
 */
export function renewalMessage({ agent_id, issued_at, nonce, instance, take_over }: RenewalFields): string {
  const lines =
    instance === undefined
      ? ['understudy agent renewal v1', agent_id, issued_at, nonce]
      : [
          ...['understudy agent renewal v2', agent_id, issued_at, nonce, instance],
          take_over ? 'take over' : 'continue',
        ];
  return lines.join('\n');
}

type RenewalFields = Omit<RenewAgentDto, 'signature'>;
