import type { EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import type { AuditedChange } from '../../../platform/audit-log/audit-entry.js';
import { insertAuditEntry } from '../../../platform/audit-log/insert-audit-entry.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { lockOrganization } from '../../../platform/persistence/statements.js';
import { hashOfSecret, newSecret } from '../../../platform/random-secrets.js';

/** Maximum number of unused tokens of an organisation, including expired ones. */
export const MAX_ENROLMENT_TOKENS = 1_000;

export interface EnrolmentToken {
  readonly id: string;
  /** The text of the token, which is shown only once. */
  readonly token: string;
  readonly expiresAt: Date;
}

export interface EnrolmentTokenRequest extends AuditedChange {
  /** The member whose API token made the request; absent or null if there is no such member. */
  readonly madeByMemberId?: string | null;
}

/**
 * Creates a token that enrols one agent of the organisation within one hour. Locks the organisation. Needs only a
 * database connection, so that the command line can use it.
 * @throws ApiError `limit_exceeded`
 */
export async function insertEnrolmentToken(
  manager: Pick<EntityManager, 'query'>,
  { madeByMemberId = null, ...change }: EnrolmentTokenRequest,
): Promise<EnrolmentToken> {
  const { organizationId, now } = change;
  const id = `enr_${ulid()}`;
  const token = newSecret('us_enrol_');
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  await assertFewUnused(manager, organizationId);
  await manager.query(
    `INSERT INTO enrolment_tokens (id, organization_id, token_hash, created_at, expires_at, made_by_member_id)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [id, organizationId, hashOfSecret(token), now, expiresAt, madeByMemberId],
  );
  await insertAuditEntry(manager, {
    ...change,
    action: 'enrolment_token.created',
    targetId: id,
    details: { expires_at: expiresAt.toISOString() },
  });
  return { id, token, expiresAt };
}

async function assertFewUnused(manager: Pick<EntityManager, 'query'>, organizationId: string): Promise<void> {
  // The lock keeps other requests from adding a token between the count and the insert.
  await lockOrganization(manager, organizationId);
  const [unused] = await manager.query<{ count: number }[]>(COUNT_UNUSED, [organizationId]);
  if (unused && unused.count < MAX_ENROLMENT_TOKENS) return;
  throw new ApiError(
    'limit_exceeded',
    `An organisation can have at most ${MAX_ENROLMENT_TOKENS} unused enrolment tokens. Delete one first.`,
  );
}

const COUNT_UNUSED = `
  SELECT count(*)::integer AS count FROM enrolment_tokens WHERE organization_id = $1 AND used_at IS NULL`;

const LIFETIME_MS = 60 * 60_000;
