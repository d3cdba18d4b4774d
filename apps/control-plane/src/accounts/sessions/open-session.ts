import type { EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import type { AuditActor } from '../../platform/audit-log/audit-entry.js';
import { insertAuditEntry } from '../../platform/audit-log/insert-audit-entry.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { onForeignKeyViolation } from '../../platform/persistence/statements.js';
import { hashOfSecret } from '../../platform/random-secrets.js';
import { newSessionSecret } from './session-cookie.js';
import { LIFETIME_MS, type SignInMethod } from './session.js';
import { END_REPLACED_SESSION, INSERT_SESSION } from './sessions.sql.js';

/** A person whose identity was verified, and how. */
export interface SignIn {
  readonly organizationId: string;
  /** Null only for a token of the organisation. */
  readonly memberId: string | null;
  /** The token that signed in, with the hash of its text. Null for any other method. */
  readonly token: { readonly id: string; readonly hash: Buffer } | null;
  readonly signedInBy: SignInMethod;
}

interface Opening extends SignIn {
  readonly now: Date;
  readonly requestId: string;
  /** The secret of the session that the browser had before. This session ends. */
  readonly replaced: string | undefined;
}

/**
 * Opens a session inside the caller's transaction.
 * @throws ApiError `unauthorized` if the member was removed at the same time
 * @returns the public id of the session, and the secret for the cookie, which is not stored
 */
export async function openSession(
  manager: Pick<EntityManager, 'query'>,
  { organizationId, memberId, token, signedInBy, now, requestId, replaced }: Opening,
): Promise<{ id: string; secret: string }> {
  if (replaced !== undefined) await endReplaced(manager, hashOfSecret(replaced), { now, requestId });
  const id = `ses_${ulid()}`;
  const secret = newSessionSecret();
  const endsAt = new Date(now.getTime() + LIFETIME_MS);
  const owner = [memberId, token?.id ?? null, token?.hash ?? null];
  const row = [id, organizationId, hashOfSecret(secret), ...owner, signedInBy, now, endsAt];
  await manager.query(INSERT_SESSION, row).catch(onForeignKeyViolation(removed));
  await insertAuditEntry(manager, {
    ...{ organizationId, now, requestId, actor: signedIn(memberId, token?.id ?? null) },
    action: 'session.opened',
    targetId: id,
    details: { signed_in_by: signedInBy, token_id: token?.id ?? null },
  });
  return { id, secret };
}

function removed(): ApiError {
  return new ApiError('unauthorized', 'You are not a member of this organisation any more.');
}

interface ReplacedSession {
  readonly id: string;
  readonly organizationId: string;
  readonly memberId: string | null;
  readonly tokenId: string | null;
}

async function endReplaced(
  manager: Pick<EntityManager, 'query'>,
  sessionHash: Buffer,
  change: { readonly now: Date; readonly requestId: string },
): Promise<void> {
  const [[ended]] = await manager.query<[ReplacedSession[], number]>(END_REPLACED_SESSION, [sessionHash]);
  if (!ended) return;
  await insertAuditEntry(manager, {
    ...change,
    organizationId: ended.organizationId,
    actor: signedIn(ended.memberId, ended.tokenId),
    action: 'session.ended',
    targetId: ended.id,
    details: { reason: 'signed_in_again' },
  });
}

function signedIn(memberId: string | null, tokenId: string | null): AuditActor {
  if (memberId !== null) return { type: 'member', id: memberId };
  if (tokenId === null) throw new Error('expected a member or a token');
  return { type: 'token', id: tokenId, memberId };
}
