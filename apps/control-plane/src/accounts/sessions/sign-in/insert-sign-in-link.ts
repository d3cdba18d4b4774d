import type { EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import type { AuditedChange } from '../../../platform/audit-log/audit-entry.js';
import { insertAuditEntry } from '../../../platform/audit-log/insert-audit-entry.js';
import { hashOfSecret, newSecret } from '../../../platform/random-secrets.js';
import { DELETE_UNUSED_LINKS, INSERT_LINK } from './sign-in.sql.js';

export const LINK_LIFETIME_MS = 10 * 60_000;

export interface SignInLinkRequest extends AuditedChange {
  readonly memberId: string;
  /** The URL at which browsers reach the server, without a trailing slash. */
  readonly publicUrl: string;
  /** The member who made the request; absent or null if there is no such member. */
  readonly madeByMemberId?: string | null;
}

/**
 * Creates a link with which the member signs in once within 10 minutes. It replaces the member's earlier
 * links. The secret is in the fragment of the URL, which browsers do not send to any server. Needs only a
 * database connection, so that the command line can use it.
 */
export async function insertSignInLink(
  manager: Pick<EntityManager, 'query'>,
  { memberId, publicUrl, madeByMemberId = null, ...change }: SignInLinkRequest,
): Promise<{ url: string; expiresAt: Date }> {
  const { organizationId, now } = change;
  const id = `lnk_${ulid()}`;
  const secret = newSecret('us_link_');
  const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS);
  await manager.query(DELETE_UNUSED_LINKS, [memberId]);
  const row = [id, organizationId, memberId, hashOfSecret(secret), madeByMemberId, now, expiresAt];
  await manager.query(INSERT_LINK, row);
  await insertAuditEntry(manager, {
    ...change,
    action: 'sign_in_link.created',
    targetId: id,
    details: { member_id: memberId, expires_at: expiresAt.toISOString() },
  });
  return { url: `${publicUrl}/dashboard/sign-in#link=${secret}`, expiresAt };
}
