import fc from 'fast-check';

import { accessesOf, SCOPE_GROUPS, scopesOf, scopesOfPreset, type Access } from './scopes.js';

const allScopes = SCOPE_GROUPS.flatMap(({ read, write }) =>
  [read, write].filter((scope) => scope !== undefined),
);

describe('the scopes of a new key', () => {
  it('never exceed the scopes of the session that creates it', () => {
    fc.assert(
      fc.property(fc.subarray(allScopes), fc.infiniteStream(fc.nat()), (granted, picks) => {
        const chosen: Record<string, Access> = {};
        for (const group of SCOPE_GROUPS) {
          const accesses = accessesOf(group, granted);
          chosen[group.id] = accesses[(picks.next().value as number) % accesses.length] ?? 'none';
        }
        for (const scope of scopesOf(chosen))
          expect([scope, scope.replace(/:read$/, ':write')].some((held) => granted.includes(held))).toBe(
            true,
          );
      }),
    );
  });

  it.each(['ci', 'read'] as const)('of the preset %s never exceed those of the session', (preset) => {
    const all = scopesOfPreset(preset, null);
    fc.assert(
      fc.property(fc.subarray(allScopes), (granted) => {
        const held = (scope: string) =>
          [scope, scope.replace(/:read$/, ':write')].some((one) => granted.includes(one));
        expect(scopesOfPreset(preset, granted)).toEqual(all.filter(held));
      }),
    );
  });

  it('of the presets run work, or read everything and change nothing', () => {
    expect(scopesOfPreset('ci', null)).toEqual(['generate', 'jobs:write', 'snapshots:write']);
    const reading = allScopes.filter((scope) => scope.endsWith(':read'));
    expect(scopesOfPreset('read', null)).toEqual(reading);
  });

  it('offer each scope to a session that is not restricted', () => {
    const read = Object.fromEntries(SCOPE_GROUPS.map(({ id }) => [id, 'read' as const]));
    const write = Object.fromEntries(SCOPE_GROUPS.map(({ id }) => [id, 'write' as const]));
    expect([...scopesOf(read), ...scopesOf(write)].sort()).toEqual([...allScopes].sort());
    expect(SCOPE_GROUPS.map((group) => accessesOf(group, null).length)).toEqual(
      SCOPE_GROUPS.map(({ read: reads, write: writes }) => 1 + (reads ? 1 : 0) + (writes ? 1 : 0)),
    );
  });
});
