import { Body, Query } from '@nestjs/common';

import { PageQuery } from '../dto/page.dto.js';
import { Handles } from './handles.js';
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

describe('Handles', () => {
  it('refuses a handler that does not take the query or the body of its operation', () => {
    const declare = (input: object) => () => {
      class Controller {
        @Handles({ ...OPERATION, ...input })
        list(@Query() query: PageQuery, @Body() body: object) {
          return [query, body];
        }
      }
      return Controller;
    };
    class Other {}
    expect(declare({ query: PageQuery })).not.toThrow();
    expect(declare({ query: Other })).toThrow('the handler of get has no parameter of the type Other');
    expect(declare({ body: Other })).toThrow('the handler of get has no parameter of the type Other');
    expect(declare({ body: Other, takes: 'multipart/form-data' })).not.toThrow();
  });
});
