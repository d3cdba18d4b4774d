import type { Plan } from '../../platform/config/plans.js';
import { lowerRole, type Caller, type Role } from '../../platform/http/pipeline/caller.js';
import type { Scope } from '../../platform/http/pipeline/scope.js';

/** A session ends this long after the last call that the user caused. */
export const IDLE_MS = 60 * 60_000;
/** A session ends this long after the sign-in, at the latest. */
export const LIFETIME_MS = 12 * 60 * 60_000;
/** The time of the last call is stored at most this often, so that most calls write nothing. */
export const ACTIVITY_RESOLUTION_MS = 60_000;

export type SignInMethod = 'token' | 'link' | 'oidc';

/** A row of FIND_SESSION. The role and the scopes are those of now, not those of the sign-in. */
export interface Session {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly plan: Plan;
  readonly memberId: string | null;
  readonly email: string | null;
  readonly memberRole: Role | null;
  readonly memberScopes: readonly Scope[] | null;
  readonly tokenId: string | null;
  readonly tokenRole: Role | null;
  readonly tokenScopes: readonly Scope[] | null;
  readonly signedInBy: SignInMethod;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** The absolute end: 12 hours after the sign-in, or earlier if the token expires. */
  readonly endsAt: Date;
  /** The database's time. The clock of a process could end all sessions early, or too late. */
  readonly now: Date;
}

/** The session as the dashboard's page sees it. */
export interface SessionResponse {
  readonly id: string;
  readonly organization: { readonly id: string; readonly name: string };
  /** Null for a token of the organisation. */
  readonly member: { readonly id: string; readonly email: string } | null;
  readonly role: Role;
  /** Null means everything that the role permits. */
  readonly scopes: readonly Scope[] | null;
  readonly signed_in_by: SignInMethod;
  readonly created_at: string;
  readonly idle_ends_at: string;
  readonly ends_at: string;
  /** The server's time, because the browser's clock may differ. */
  readonly now: string;
}

/** An open session of the same member, or of the same token of the organisation. */
export interface ListedSession {
  readonly id: string;
  readonly signed_in_by: SignInMethod;
  readonly created_at: string;
  /** The last call that the user caused. It can be a minute too early. */
  readonly last_seen_at: string;
  /** True for the session of the request. */
  readonly current: boolean;
}

/** Returns the time at which the session ends if the user does nothing. */
export function idleEndOf({ lastSeenAt, endsAt }: Pick<Session, 'lastSeenAt' | 'endsAt'>): Date {
  return new Date(Math.min(lastSeenAt.getTime() + IDLE_MS, endsAt.getTime()));
}

/** Returns the lower one of the token's role and the member's role. */
export function roleOf({
  id,
  tokenRole,
  memberRole,
}: Pick<Session, 'id' | 'tokenRole' | 'memberRole'>): Role {
  if (tokenRole !== null && memberRole !== null) return lowerRole(tokenRole, memberRole);
  const role = tokenRole ?? memberRole;
  if (role === null) throw new Error(`expected a member or a token for ${id}`);
  return role;
}

/** Returns the token's scopes. For a session without a token, the scopes that limit all tokens of the member. */
export function scopesOf(
  session: Pick<Session, 'tokenId' | 'tokenScopes' | 'memberScopes'>,
): readonly Scope[] | null {
  return session.tokenId === null ? session.memberScopes : session.tokenScopes;
}

export function toCaller(session: Session): Caller {
  const { id, organizationId, plan, tokenId, memberId } = session;
  const may = { role: roleOf(session), scopes: scopesOf(session) };
  return { organizationId, plan, ...may, tokenId, sessionId: id, memberId, apiCallsUsed: 0 };
}

export function toSessionResponse(session: Session): SessionResponse {
  const { id, organizationId, organizationName, memberId, email } = session;
  return {
    id,
    organization: { id: organizationId, name: organizationName },
    member: memberId === null || email === null ? null : { id: memberId, email },
    role: roleOf(session),
    scopes: scopesOf(session),
    signed_in_by: session.signedInBy,
    created_at: session.createdAt.toISOString(),
    idle_ends_at: idleEndOf(session).toISOString(),
    ends_at: session.endsAt.toISOString(),
    now: session.now.toISOString(),
  };
}

/** @param currentId the id of the session that asks */
export function toListedSession(session: Session, currentId: string): ListedSession {
  return {
    id: session.id,
    signed_in_by: session.signedInBy,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    current: session.id === currentId,
  };
}
