import {
  call,
  createEndpoint,
  makeEndpoint,
  NUMBERS,
  refusalOf,
  type Json,
} from '../integration/mock-endpoints/mock-harness.js';
import {
  startControlPlane,
  type ApiResponse,
  type ControlPlane,
} from '../integration/harness/start-control-plane.js';

const MOCK_URL = 'https://mock.example.com/m';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ mockEndpoints: { url: MOCK_URL } });
});
afterAll(() => plane?.stop());

const dataOf = (answer: ApiResponse) => (answer.body as unknown as { data: Json }).data;
const list = async () => dataOf(await plane.request('/v1/mock/endpoints'))['endpoints'] as Json[];

it('[1/9, 2.4/2, 4/2] Mock endpoints answer with what a schema generates', async () => {
  const { url } = await makeEndpoint(plane, { response: { count: 2, wrapper: { users: '{{records}}' } } });
  const { status, json } = await call(plane, url);
  expect([status, json]).toEqual([200, { users: [{ n: 1 }, { n: 2 }] }]);
});

it('[2/2, 2.4/1, 2.4/2, 2.4/4, 2.4/7] An endpoint has id (`ep_<id>`), path, method, schema, url, requests_today, created_at', async () => {
  const { id } = await makeEndpoint(plane, { path: '/api/fields' });
  const [listed] = await list();
  expect(listed).toMatchObject({
    id: expect.stringMatching(/^ep_\w+$/),
    path: '/api/fields',
    method: 'GET',
    schema: expect.stringContaining('.json'),
    url: expect.any(String),
    requests_today: 0,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  expect(dataOf(await plane.request(`/v1/mock/endpoints/${id}`))['schema']).toEqual(NUMBERS);
});

it('[2.4/3] method is the HTTP method that is served', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const { url } = await makeEndpoint(plane, { method });
    expect((await call(plane, url, { method })).status).toBe(200);
    expect((await call(plane, url, { method: method === 'GET' ? 'POST' : 'GET' })).status).toBe(405);
  }
});

it('[2.4/5, 4/2] url is `{mock_url}/<endpoint_id><path>`', async () => {
  const { id } = await makeEndpoint(plane, { path: '/api/located' });
  const [listed] = await list();
  expect(listed?.['url']).toBe(`${MOCK_URL}/${id}/api/located`);
});

it('[2.4/8, 2.4/9] response is { count, wrapper }; count records are generated a call', async () => {
  const { url } = await makeEndpoint(plane, { response: { count: 7, wrapper: '{{records}}' } });
  expect((await call(plane, url)).json).toHaveLength(7);
  for (const response of [{ count: '7' }, { count: 1.5 }, { wrapper: 7 }])
    expect(refusalOf(await createEndpoint(plane, { response }))).toMatch(/^422 validation_error response\./);
});

it('[2.4/9] count of a response is at most 10,000', async () => {
  const { url } = await makeEndpoint(plane, { response: { count: 10_000 } });
  expect((await call(plane, url)).json).toHaveLength(10_000);
  expect(refusalOf(await createEndpoint(plane, { response: { count: 10_001 } }))).toMatch(
    /^422 validation_error response\.count/,
  );
});

it('[2.4/10] Leaves of wrapper may hold {{records}} and {{count}}', async () => {
  const wrapper = { data: '{{records}}', meta: { total: '{{count}}', text: '{{count}} records' } };
  const { url } = await makeEndpoint(plane, { response: { count: 1, wrapper } });
  expect((await call(plane, url)).json).toEqual({ data: [{ n: 1 }], meta: { total: 1, text: '1 records' } });
});

it('[4.6/1] GET /mock/endpoints answers { endpoints }', async () => {
  const { id } = await makeEndpoint(plane, {});
  expect(dataOf(await plane.request('/v1/mock/endpoints'))).toMatchObject({
    endpoints: expect.arrayContaining([expect.objectContaining({ id })]),
  });
});

it('[4.6/2, 4.6/4] POST /mock/endpoints takes path, method, schema and response', async () => {
  const body = {
    path: '/api/taken',
    method: 'POST',
    schema: NUMBERS,
    response: { count: 1, wrapper: { a: '{{records}}' } },
  };
  const answer = await createEndpoint(plane, body);
  expect([answer.status, dataOf(answer)]).toEqual([
    201,
    expect.objectContaining({ path: body.path, method: 'POST' }),
  ]);
  for (const missing of ['path', 'method', 'schema'])
    expect(refusalOf(await createEndpoint(plane, { ...body, [missing]: undefined }))).toMatch(
      new RegExp(`^422 validation_error ${missing}: is required`),
    );
});

it('[4.6/3, 4.6/4] DELETE /mock/endpoints/:id deletes an endpoint', async () => {
  const { id, url } = await makeEndpoint(plane, {});
  const deleted = await plane.request(`/v1/mock/endpoints/${id}`, { method: 'DELETE' });
  expect([deleted.status, dataOf(deleted)]).toEqual([200, { deleted: true, id }]);
  expect((await call(plane, url)).status).toBe(404);
  expect((await plane.request(`/v1/mock/endpoints/${id}`)).status).toBe(404);
});
