/** A resource of the API that a key can be restricted to, with the scopes that grant it. */
export interface ScopeGroup {
  readonly id: string;
  /** The scope that only reads; absent if the resource has none. */
  readonly read?: string;
  /** The scope that also changes; it includes reading. Absent if the resource has none. */
  readonly write?: string;
}

/** All scopes of the API, by resource. */
export const SCOPE_GROUPS: readonly ScopeGroup[] = [
  { id: 'generate', write: 'generate' },
  { id: 'models', read: 'models:read', write: 'models:write' },
  { id: 'generators', read: 'generators:read', write: 'generators:write' },
  { id: 'endpoints', read: 'endpoints:read', write: 'endpoints:write' },
  { id: 'jobs', read: 'jobs:read', write: 'jobs:write' },
  { id: 'snapshots', read: 'snapshots:read', write: 'snapshots:write' },
  { id: 'agents', read: 'agents:read', write: 'agents:write' },
  { id: 'webhooks', read: 'webhooks:read', write: 'webhooks:write' },
  { id: 'org', read: 'org:read', write: 'org:write' },
  { id: 'tokens', read: 'tokens:read', write: 'tokens:write' },
  { id: 'audit', read: 'audit:read' },
];

export type Access = 'none' | 'read' | 'write';

/** Returns the accesses that a key for a resource can have and that the granting session has itself. */
export function accessesOf(group: ScopeGroup, granted: readonly string[] | null): readonly Access[] {
  const may = (scope: string | undefined): boolean =>
    scope !== undefined && (granted === null || granted.includes(scope));
  const write = may(group.write);
  return [
    'none',
    ...(group.read !== undefined && (write || may(group.read)) ? (['read'] as const) : []),
    ...(write ? (['write'] as const) : []),
  ];
}

/** A frequent use of a key, with the access that it needs to each resource. */
export type Preset = 'ci' | 'read';

const PRESETS: Readonly<Record<Preset, (group: ScopeGroup) => Access>> = {
  ci: ({ id }) => (['generate', 'jobs', 'snapshots'].includes(id) ? 'write' : 'none'),
  read: ({ read }) => (read === undefined ? 'none' : 'read'),
};

/** Returns the scopes of a preset, without those that the granting session does not have itself. */
export function scopesOfPreset(preset: Preset, granted: readonly string[] | null): string[] {
  const accesses = SCOPE_GROUPS.map((group) => {
    const wanted = PRESETS[preset](group);
    return [group.id, accessesOf(group, granted).includes(wanted) ? wanted : 'none'] as const;
  });
  return scopesOf(Object.fromEntries(accesses));
}

/** Returns the scopes of the chosen accesses, in the order of `SCOPE_GROUPS`. */
export function scopesOf(chosen: Readonly<Record<string, Access>>): string[] {
  return SCOPE_GROUPS.flatMap(({ id, read, write }) => {
    const scope = { none: undefined, read, write }[chosen[id] ?? 'none'];
    return scope === undefined ? [] : [scope];
  });
}
