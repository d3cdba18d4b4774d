import { sendRaw } from '../harness/raw-connection.js';
import { sampleBody } from '../harness/sample-requests.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const HOST = 'Host: x\r\nConnection: close\r\n';
let plane: ControlPlane;
/** Requests that each part of the server handles: the parser, the router, routes of each kind, and the fast path. */
let requests: string[];
beforeAll(async () => {
  plane = await startControlPlane({ http: { publicUrl: 'https://understudy.example' } });
  const { body } = await plane.request('/v1/mock/endpoints', {
    method: 'POST',
    body: sampleBody('createMockEndpoint'),
  });
  const { url } = (body as unknown as { data: { url: string } }).data;
  const paths = ['/', '/healthz', '/readyz', '/v1/nothing', '/v1/org', '/v1/%zz', '/docs', '/dashboard/'];
  const mock = new URL(url).pathname;
  requests = [
    ...[...paths, '/dashboard/v1/org', '/mock/none', mock, mock].map(
      (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`,
    ),
    `GET / HTTP/1.1\r\n${HOST}Accept: text/html\r\n\r\n`,
    `OPTIONS ${mock} HTTP/1.1\r\n${HOST}\r\n`,
    `POST /v1/generate HTTP/1.1\r\n${HOST}Authorization: Bearer ${plane.token}\r\nContent-Length: 1\r\n\r\n{`,
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    'not http\r\n\r\n',
    `GET / HTTP/1.1\r\nLarge: ${'x'.repeat(20_000)}\r\n\r\n`,
  ];
});
afterAll(() => plane?.stop());

const headersOf = async (request: string) => {
  const [response] = await sendRaw(plane.url, [request]);
  const { 'x-content-type-options': type, 'strict-transport-security': transport } = response?.headers ?? {};
  return [type, transport];
};

describe('every response of the API listener', () => {
  it('forbids browsers to guess its type, and to use plain HTTP if the public URL is https', async () => {
    for (const request of requests)
      expect([request, ...(await headersOf(request))]).toEqual([request, 'nosniff', 'max-age=31536000']);
  });
});
