import { ApiError } from '../../../platform/http/errors/api-error.js';
import { roleIncludes, type Caller, type Role } from '../../../platform/http/pipeline/caller.js';
import { scopesCover, type Scope } from '../../../platform/http/pipeline/scope.js';

/**
 * Prevents callers from gaining rights when they create a token or a sign-in link, or raise a member's role.
 * @throws ApiError `forbidden` for a role or scopes beyond the caller's own
 */
export function assertMayGive(
  caller: Pick<Caller, 'role' | 'scopes'>,
  { role, scopes }: { readonly role: Role; readonly scopes: readonly Scope[] | null },
): void {
  assertNotAbove(caller, role);
  if (scopesCover(caller.scopes, scopes)) return;
  throw new ApiError(
    'forbidden',
    'You are restricted to scopes. A new token, a raised member or the member of a sign-in link must be restricted to some of your scopes.',
  );
}

/** @throws ApiError `forbidden` */
export function assertNotAbove({ role }: Pick<Caller, 'role'>, of: Role): void {
  if (roleIncludes(role, of)) return;
  throw new ApiError(
    'forbidden',
    `This operation affects the role ${of}, which is above your own role (${role}).`,
  );
}
