import { ApiError } from '../../http/errors/api-error.js';
import { roleIncludes, type Caller, type Role } from '../../http/pipeline/caller.js';
import { scopesCover, type Scope } from '../../http/pipeline/scope.js';

/** Nobody gets rights by way of others: by making a token, or by raising a member. @throws ApiError `forbidden` for a role or scopes beyond the caller's own */
export function assertMayGive(
  caller: Pick<Caller, 'role' | 'scopes'>,
  { role, scopes }: { readonly role: Role; readonly scopes: readonly Scope[] | null },
): void {
  assertNotAbove(caller, role);
  if (scopesCover(caller.scopes, scopes)) return;
  throw new ApiError(
    'forbidden',
    'The token that asks is narrowed to scopes: what it makes or raises must be narrowed to some of them.',
  );
}

/** @throws ApiError `forbidden` */
export function assertNotAbove({ role }: Pick<Caller, 'role'>, of: Role): void {
  if (roleIncludes(role, of)) return;
  throw new ApiError('forbidden', `This concerns the role ${of}; the token that asks has ${role}.`);
}
