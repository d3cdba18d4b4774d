/** The roles. Each includes the ones before it. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** The session of this browser, as `/dashboard/session` returns it. All times are ISO texts of the server's clock. */
export interface Session {
  /** The public id, which is not the secret in the cookie. */
  readonly id: string;
  readonly organization: { readonly id: string; readonly name: string };
  /** Null for a token of the organisation. */
  readonly member: { readonly id: string; readonly email: string } | null;
  readonly role: Role;
  /** Null if only the role restricts the session. */
  readonly scopes: readonly string[] | null;
  readonly signed_in_by: 'token' | 'link' | 'oidc';
  readonly created_at: string;
  /** The end if nothing is done until then. */
  readonly idle_ends_at: string;
  /** The end in any case. */
  readonly ends_at: string;
  /** The time of the response. */
  readonly now: string;
}

/** An open session of the same member, in this browser or in another one. */
export interface ListedSession extends Pick<Session, 'id' | 'signed_in_by' | 'created_at'> {
  readonly last_seen_at: string;
  /** True for the session of this browser. */
  readonly current: boolean;
}

/** The offer of an invitation to the visitor who has its secret. */
export interface Invitation {
  readonly organization: { readonly name: string };
  readonly email: string;
  readonly role: Role;
}

/** A proof with which a visitor signs in. */
export type Credential = { readonly token: string } | { readonly link: string };

/** Returns what a visitor has pasted: a one-time link, the secret of one, or an API key. */
export function credentialOf(text: string): Credential {
  const pasted = text.trim();
  const link = /(?:^|#link=)(us_link_[\w.~-]+)$/.exec(pasted)?.[1];
  return link === undefined ? { token: pasted } : { link };
}

/** An OpenID Connect provider that the operator has configured. */
export interface Provider {
  readonly id: string;
  readonly name: string;
}

/** An organisation that a user can choose after a sign-in with a provider. */
export interface OrganizationChoice {
  readonly id: string;
  readonly name: string;
  /** False if the choice links the account to the organisation. */
  readonly is_linked: boolean;
}

/** Returns whether both sessions show the same data. Otherwise, nothing of the page may stay. */
export function isSamePrincipal(one: Session, other: Session): boolean {
  return one.organization.id === other.organization.id && one.member?.id === other.member?.id;
}

/** The permission that an operation of the API needs. */
export interface Permission {
  readonly role: Role;
  /** For example `agents:read`. */
  readonly scope?: string;
}

/** Returns whether the session may do something. The server checks it again. */
export function allows({ role, scopes }: Session, needed: Permission): boolean {
  if (ROLES.indexOf(role) < ROLES.indexOf(needed.role)) return false;
  if (scopes === null || needed.scope === undefined) return true;
  return scopes.includes(needed.scope) || scopes.includes(needed.scope.replace(/:read$/, ':write'));
}
