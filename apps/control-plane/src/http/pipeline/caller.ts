import type { Plan } from '../../config/plans.js';
import type { Scope } from './scope.js';

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Who asks, as the bearer token proved it. */
export interface Caller {
  readonly organizationId: string;
  readonly plan: Plan;
  /** The token's, or its member's where that is lower. */
  readonly role: Role;
  /** Null: everything the role may. */
  readonly scopes: readonly Scope[] | null;
  readonly tokenId: string;
  /** Whose token it is; null for a token of the organisation. */
  readonly memberId: string | null;
  /** This month, as far as processes have written down what they counted. */
  readonly apiCallsUsed: number;
}

/** Each role may do what the ones before it may. */
export function roleIncludes(role: Role, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}

export function lowerRole(one: Role, other: Role): Role {
  return roleIncludes(one, other) ? other : one;
}
