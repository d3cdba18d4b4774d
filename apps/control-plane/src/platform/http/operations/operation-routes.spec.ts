import { OperationRoutes } from './operation-routes.js';
import { operations } from './operation.js';

const { get: OPERATION } = operations('Sync jobs', {
  get: {
    method: 'GET',
    path: '/v1/things/:id',
    client: 'things.get',
    summary: 'shows a thing',
    role: 'viewer',
    scope: 'jobs:read',
    calls: 'counted',
    response: { description: 'The thing.' },
  },
});

describe('OperationRoutes', () => {
  it('finds the operation of a route', () => {
    const routes = new OperationRoutes([OPERATION]);
    expect(routes.check('/v1/things/:id', OPERATION)).toBe(OPERATION);
    expect(() => routes.assertComplete()).not.toThrow();
  });

  it('refuses to start with a route of /v1 that has no operation', () => {
    expect(() => new OperationRoutes([OPERATION]).check('/v1/things', undefined)).toThrow(
      '/v1/things has no operation: add @Handles to its handler',
    );
  });

  it('refuses to start with an operation that the list does not contain', () => {
    expect(() => new OperationRoutes([]).check('/v1/things/:id', OPERATION)).toThrow(
      'get is not in OPERATIONS: add the operations of its feature',
    );
  });

  it('refuses to start with an operation that has no route', () => {
    expect(() => new OperationRoutes([OPERATION]).assertComplete()).toThrow(
      'operations without a route: get',
    );
  });

  it('ignores routes outside /v1', () => {
    expect(new OperationRoutes([OPERATION]).check('/healthz', undefined)).toBeUndefined();
    expect(new OperationRoutes([OPERATION]).check('/v10/x', undefined)).toBeUndefined();
  });
});
