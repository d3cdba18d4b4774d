import type { Plan } from '../../config/plans.js';
import type { Scope } from './scope.js';

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** The caller of a request, authenticated by the bearer token. */
export interface Caller {
  readonly organizationId: string;
  readonly plan: Plan;
  /** The lower one of the token's role and its owner's role. */
  readonly role: Role;
  /** Null if the token may do everything that its role may do. */
  readonly scopes: readonly Scope[] | null;
  readonly tokenId: string;
  /** The member who owns the token; null for a token of the organisation. */
  readonly memberId: string | null;
  /**
   * API calls of the organisation in this month. Does not include calls that a process has not written to the
   * database yet.
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
