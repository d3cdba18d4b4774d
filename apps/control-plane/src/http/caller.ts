export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Who asks, as the bearer token proved it. */
export interface Caller {
  readonly organizationId: string;
  readonly role: Role;
  readonly tokenId: string;
}

/** Each role may do what the ones before it may. */
export function roleIncludes(role: Role, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}
