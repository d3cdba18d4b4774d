import { Badge, Tooltip } from '@understudy/ui';

import { ROLES, type Role } from './session.js';
import { SESSION_TEXTS } from './texts.js';

const { roles: TEXTS } = SESSION_TEXTS;

/** Returns the name of a role, or its id if a later version of the server has added it. */
export function roleName(role: string): string {
  return TEXTS.names[role] ?? role;
}

/** Returns the options for a role that somebody with the role `own` may give. */
export function roleOptions(own: Role) {
  return ROLES.slice(0, ROLES.indexOf(own) + 1).map((value) => ({
    value,
    label: roleName(value),
    hint: TEXTS.effects[value],
  }));
}

/** The access of a key or a member: the number of scopes, or everything that the role allows. */
export function ScopeCount({ scopes }: { readonly scopes: readonly string[] | null }) {
  if (scopes === null) return <span className="text-muted">{TEXTS.fullAccess}</span>;
  return (
    <Tooltip text={scopes.join(', ')}>
      <button type="button" className="rounded-sm">
        <Badge>{TEXTS.scopeCount(scopes.length)}</Badge>
      </button>
    </Tooltip>
  );
}
