import type { Plan } from '../../config/plans.js';
import type { Scope } from './scope.js';

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** The caller of a request, authenticated by a bearer token or by the cookie of a session. */
export interface Caller {
  readonly organizationId: string;
  readonly plan: Plan;
  /** The lower one of the token's role and its owner's role. For a session without a token, the member's role. */
  readonly role: Role;
  /** Null if the caller may do everything that the role may do. */
  readonly scopes: readonly Scope[] | null;
  /** The token of the request, or with which the session was opened. Null for a session of another sign-in. */
  readonly tokenId: string | null;
  /** The session of the dashboard; null for a request with a bearer token. */
  readonly sessionId: string | null;
  /** The member who owns the token or the session; null for a token of the organisation. */
  readonly memberId: string | null;
  /**
   * API calls of the organisation in this month. Does not include calls that a process has not written to the
   * database yet. 0 for a session, because its calls do not count.
   */
  readonly apiCallsUsed: number;
}

/** Each role includes the ones before it in `ROLES`. */
export function roleIncludes(role: Role, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}

export function lowerRole(one: Role, other: Role): Role {
  return roleIncludes(one, other) ? other : one;
}
