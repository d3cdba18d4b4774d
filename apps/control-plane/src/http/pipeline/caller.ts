import type { Plan } from '../../config/plans.js';
import type { Scope } from './scope.js';

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** The authenticated caller of a request, as its bearer token proves it. */
export interface Caller {
  readonly organizationId: string;
  readonly plan: Plan;
  /** The token's role, or the role of its member if that is lower. */
  readonly role: Role;
  /** Null: the token may do everything that its role may do. */
  readonly scopes: readonly Scope[] | null;
  readonly tokenId: string;
  /** The member who owns the token; null for a token of the organisation. */
  readonly memberId: string | null;
  /** API calls in this month. Calls that processes have not written to the database yet are missing. */
  readonly apiCallsUsed: number;
}

/** Each role includes the ones before it in `ROLES`. */
export function roleIncludes(role: Role, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}

export function lowerRole(one: Role, other: Role): Role {
  return roleIncludes(one, other) ? other : one;
}
