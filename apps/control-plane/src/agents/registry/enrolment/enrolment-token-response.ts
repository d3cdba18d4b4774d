import type { EnrolmentTokenEntity } from './enrolment-token.entity.js';
import type { InstallLines } from './install-lines.js';

export interface EnrolmentTokenResponse {
  readonly id: string;
  readonly status: 'unused' | 'used' | 'expired';
  readonly created_at: string;
  readonly expires_at: string;
  readonly used_at: string | null;
  /** The agent that the token enrolled; null if the token was not used. */
  readonly agent_id: string | null;
}

export interface NewEnrolmentTokenResponse extends EnrolmentTokenResponse {
  /** The text of the token, which is shown only once. */
  readonly token: string;
  readonly install: InstallLines;
}

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
