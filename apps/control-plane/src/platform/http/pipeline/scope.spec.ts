import fc from 'fast-check';

import { SCOPES, scopesCover, scopesInclude, type Scope } from './scope.js';

const granted = fc.option(fc.subarray([...SCOPES]), { nil: null });

describe('scopes', () => {
  it('allows everything for a token without scopes', () => {
    for (const scope of SCOPES) expect(scopesInclude(null, scope)).toBe(true);
  });

  it('allows each scope itself, and no scope of another resource', () => {
    for (const own of SCOPES) {
      const allowed = SCOPES.filter((scope) => scopesInclude([own], scope));
      expect(allowed).toContain(own);
      expect(new Set(allowed.map((scope) => scope.split(':')[0]))).toEqual(new Set([own.split(':')[0]]));
    }
  });

  it('includes the read scope in the write scope, but not the other way round', () => {
    expect(scopesInclude(['jobs:write'], 'jobs:read')).toBe(true);
    expect(scopesInclude(['jobs:read'], 'jobs:write')).toBe(false);
  });

  it('finds that a list of scopes covers another if and only if it allows everything that the other allows', () => {
    const allowed = (scopes: readonly Scope[] | null) =>
      SCOPES.filter((scope) => scopesInclude(scopes, scope));
    fc.assert(
      fc.property(granted, granted, (wide, narrow) => {
        const within = allowed(narrow).every((scope) => allowed(wide).includes(scope));
        // A token without restriction also gets the scopes of later versions.
        expect(scopesCover(wide, narrow)).toBe(within && (wide === null || narrow !== null));
      }),
    );
  });
});
