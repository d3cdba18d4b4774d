import { ROLES } from '../pipeline/caller.js';
import { OPERATIONS } from './operations.js';
import { OperationRoutes } from './operation-routes.js';
import type { Operation } from './operation.js';
import { SCOPES } from '../pipeline/scope.js';

const ROW: Operation = {
  id: 'get',
  method: 'GET',
  path: '/v1/things/:id',
  summary: 'shows a thing',
  role: 'viewer',
  scope: 'jobs:read',
  calls: 'counted',
  status: 200,
};

describe('OperationRoutes', () => {
  it('finds the operation of a route, also for HEAD', () => {
    const routes = new OperationRoutes([ROW]);
    expect(routes.join(['GET'], '/v1/things/:id')).toBe(ROW);
    expect(routes.join(['HEAD'], '/v1/things/:id')).toBe(ROW);
    expect(() => routes.assertComplete()).not.toThrow();
  });

  it.each([
    [['POST'], '/v1/things/:id'],
    [['GET'], '/v1/things'],
    [['GET', 'POST'], '/v1/things/:id'],
  ])('refuses to start with a route that the table does not contain: %j %s', (methods, path) => {
    expect(() => new OperationRoutes([ROW]).join(methods, path)).toThrow('is not in the table of operations');
  });

  it('refuses to start with an operation that has no route', () => {
    expect(() => new OperationRoutes([ROW]).assertComplete()).toThrow('operations without a route: get');
  });

  it('ignores routes outside /v1', () => {
    expect(new OperationRoutes([ROW]).join(['GET'], '/healthz')).toBeUndefined();
    expect(new OperationRoutes([ROW]).join(['GET'], '/v10/x')).toBeUndefined();
  });
});

describe('OPERATIONS', () => {
  const rows: readonly Operation[] = OPERATIONS;

  it('contains each operation id and each route once', () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(new Set(rows.map(({ method, path }) => `${method} ${path}`)).size).toBe(rows.length);
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
