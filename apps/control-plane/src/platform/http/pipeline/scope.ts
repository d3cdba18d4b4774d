/**
 * The scopes to which a token can be restricted: `<resource>:<read|write>`, and `generate`. Write includes
 * read.
 */
export const SCOPES = [
  'generate',
  'models:read',
  'models:write',
  'generators:read',
  'generators:write',
  'endpoints:read',
  'endpoints:write',
  'jobs:read',
  'jobs:write',
  'snapshots:read',
  'snapshots:write',
  'agents:read',
  'agents:write',
  'org:read',
  'org:write',
  'webhooks:read',
  'webhooks:write',
  'tokens:read',
  'tokens:write',
  'audit:read',
] as const;
export type Scope = (typeof SCOPES)[number];

/** @param granted the scopes of the token, or null if only the role restricts the token */
export function scopesInclude(granted: readonly Scope[] | null, required: Scope): boolean {
  if (granted === null || granted.includes(required)) return true;
  return required.endsWith(':read') && granted.some((scope) => scope === required.replace(':read', ':write'));
}

/** Returns whether `wide` allows everything that `narrow` allows. */
export function scopesCover(wide: readonly Scope[] | null, narrow: readonly Scope[] | null): boolean {
  if (wide === null) return true;
  return narrow !== null && narrow.every((scope) => scopesInclude(wide, scope));
}
