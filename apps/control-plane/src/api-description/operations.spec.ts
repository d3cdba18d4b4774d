import type { Operation } from '../platform/http/operations/operation.js';
import { ROLES } from '../platform/http/pipeline/caller.js';
import { SCOPES } from '../platform/http/pipeline/scope.js';
import { OPERATIONS } from './operations.js';

describe('OPERATIONS', () => {
  const rows: readonly Operation[] = OPERATIONS;

  it('contains each route and each method of a client once', () => {
    const clients = rows.flatMap(({ client }) => client ?? []);
    expect(new Set(clients).size).toBe(clients.length);
    expect(new Set(rows.map(({ method, path }) => `${method} ${path}`)).size).toBe(rows.length);
  });

  it('leaves no operation of a person or a program without a method of the clients', () => {
    const agents = rows.filter(({ client }) => client === null);
    expect(agents.map(({ role, path }) => [role, path.startsWith('/v1/agents/')])).toEqual(
      agents.map(() => ['public', true]),
    );
  });

  it('names the resource of each id in a path, and no resource for a path without an id', () => {
    for (const { id, path, resource } of rows)
      expect([id, resource !== undefined]).toEqual([id, path.includes('/:id')]);
  });

  it('requires a write scope and a role above viewer for every operation that changes something', () => {
    for (const row of rows) {
      if (row.method === 'GET' || row.role === 'public' || row.id === 'generate') continue;
      expect([row.id, row.scope?.endsWith(':write')]).toEqual([row.id, true]);
      if (row.id === 'rotateToken') continue; // members of any role rotate their own tokens
      expect([row.id, ROLES.indexOf(row.role) > 0]).toEqual([row.id, true]);
    }
  });

  it('uses every scope', () => {
    const used = new Set(rows.flatMap((row) => (row.role === 'public' ? [] : (row.scope ?? []))));
    expect([...used].sort()).toEqual([...SCOPES].sort());
  });

  it('gives every created resource a location that is a route of its own', () => {
    for (const { location } of rows) {
      if (location === undefined) continue;
      expect(rows.some((row) => row.method === 'GET' && row.path === location)).toBe(true);
    }
  });
});
