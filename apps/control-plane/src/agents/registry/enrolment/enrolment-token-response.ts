import { Type } from 'typebox';

import {
  id,
  instant,
  named,
  nullableId,
  nullableInstant,
  oneOf,
  type ResponseOf,
} from '../../../platform/http/operations/schemas.js';
import type { EnrolmentTokenEntity } from './enrolment-token.entity.js';
import { InstallLines } from './install-lines.js';

export const EnrolmentTokenResponse = named('EnrolmentToken', {
  id: id('enr', 'Id of the token. It is not a secret.'),
  status: oneOf(['unused', 'used', 'expired'], 'Only an `unused` token can enrol an agent.'),
  created_at: instant('Time of creation.'),
  expires_at: instant('Time at which the token expires.'),
  used_at: nullableInstant('Time at which the token was used; null while unused.'),
  agent_id: nullableId('agt', 'Id of the agent that the token enrolled; null while unused.'),
});
export type EnrolmentTokenResponse = ResponseOf<typeof EnrolmentTokenResponse>;

export const NewEnrolmentTokenResponse = named('NewEnrolmentToken', {
  ...EnrolmentTokenResponse.properties,
  token: Type.String({ description: 'The enrolment token. It is shown only in this response.' }),
  install: InstallLines,
});
export type NewEnrolmentTokenResponse = ResponseOf<typeof NewEnrolmentTokenResponse>;

export function toEnrolmentTokenResponse(
  token: Pick<EnrolmentTokenEntity, 'id' | 'createdAt' | 'expiresAt' | 'usedAt' | 'agentId'>,
  { now }: { now: Date },
): EnrolmentTokenResponse {
  const unused = now < token.expiresAt ? 'unused' : 'expired';
  return {
    id: token.id,
    status: token.usedAt === null ? unused : 'used',
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    used_at: token.usedAt?.toISOString() ?? null,
    agent_id: token.agentId,
  };
}
