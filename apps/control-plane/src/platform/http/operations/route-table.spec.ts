import { RouteTable } from './route-table.js';

describe('RouteTable', () => {
  const routes = new RouteTable();
  routes.add(['GET', 'HEAD'], '/v1/sync/jobs/:id');
  routes.add(['POST'], '/v1/sync/jobs');
  routes.add(['GET'], '/ops/*');

  it.each([
    ['/v1/sync/jobs/job_1', ['GET', 'HEAD']],
    ['/v1/sync/jobs', ['POST']],
    ['/ops/api/queues', ['GET']],
    ['/v1/sync/jobs/a/b', []],
    ['/v1/syncXjobs', []],
  ])('returns the allowed methods of the path %s', (path, methods) => {
    expect(routes.methodsOf(path)).toEqual(methods);
  });
});
