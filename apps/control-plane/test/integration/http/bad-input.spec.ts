import {
  createTestDatabase,
  sharedTestServices,
  type TestDatabase,
  type SharedTestServices,
} from '@understudy/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { migrate } from '../../../src/platform/persistence/migrate.js';
import { openDataSource } from '../../../src/platform/persistence/data-source.js';
import { bootstrap } from '../../../src/accounts/organization/bootstrap.js';
import { sendRaw, type RawResponse, type RawOptions } from '../harness/raw-connection.js';
import { peakDuring, residentBytes } from '../harness/server-memory.js';
import { serverEnvironment, startServerProcess, type ServerProcess } from '../harness/server-process.js';

// Uses a separate server process to measure its memory, and raw connections to send requests that no HTTP client sends.

const MIB = 1024 * 1024;
// Allows for a file of 32 MiB, which the server holds in memory, and as much again for chunks that are not
// collected yet.
const GROWTH_BYTES = 96 * MIB;
const FILLING = Buffer.alloc(MIB, 'a');
/** The size of large bodies. A server that keeps half of one exceeds the allowed growth. */
const LARGE = 256;
/** The time between two other requests during an attack. */
const PAUSE_MS = 10;

let services: SharedTestServices;
let database: TestDatabase;
let server: ServerProcess;
let token: string;

beforeAll(async () => {
  services = await sharedTestServices();
  database = await createTestDatabase(services.postgresUrl);
  await migrate({ url: database.url });
  const dataSource = await openDataSource({ url: database.url });
  ({ apiToken: token } = await bootstrap(dataSource, { name: 'tested', plan: 'business', now: new Date() }));
  await dataSource.destroy();
  await startServer();
});
afterAll(async () => {
  await server?.kill();
  await services?.stop();
});

/**
 * Starts a server and sends it requests, so that later measurements do not include the memory that the first
 * requests need.
 */
async function startServer(requestTimeoutSeconds = 3_600): Promise<void> {
  server = await startServerProcess({
    ...serverEnvironment(services, database.url),
    UNDERSTUDY_REQUEST_TIMEOUT_SECONDS: `${requestTimeoutSeconds}`,
    // These limits are raised because all requests come from one address.
    UNDERSTUDY_ANONYMOUS_REQUESTS_PER_MINUTE: '1000000',
    UNDERSTUDY_PLAN_LIMITS: JSON.stringify({ business: { requests_per_minute: 1_000_000 } }),
  });
  for (let i = 0; i < 200; i++) {
    expect((await get('/v1/models')).status).toBe(200);
    expect((await sent([post('/v1/generate'), length('{}'), '{}'])).status).toBe(422);
  }
}

const get = (path: string) => fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
const authorized = () => `Host: x\r\nAuthorization: Bearer ${token}\r\n`;
const start = (line: string) => `${line} HTTP/1.1\r\n${authorized()}`;
const post = (path: string, type = 'application/json') => `${start(`POST ${path}`)}Content-Type: ${type}\r\n`;
const length = (body: string | Buffer) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
const sent = async (parts: Iterable<string | Buffer>, options?: RawOptions): Promise<RawResponse> => {
  const [answer] = await sendRaw(server.url, parts, options);
  if (!answer) throw new Error('expected a response, got none');
  return answer;
};

/** Runs an attack while other requests are served and the memory of the server is measured. */
async function whileServing<T>(attack: () => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  const before = residentBytes(server.child.pid ?? 0);
  const peak = await peakDuring(server.child.pid ?? 0, async () => {
    const attacking = attack().then((value) => (result = { value }));
    const served: number[] = [];
    do served.push((await get('/v1/models')).status);
    while ((await Promise.race([attacking, sleep(PAUSE_MS)])) === undefined);
    expect(new Set(served)).toEqual(new Set([200]));
  });
  expect(peak - before).toBeLessThan(GROWTH_BYTES);
  if (!result) throw new Error('the attack has not ended');
  return result.value;
}

const refused = ({ status, headers, body }: RawResponse, expected: number) => {
  expect([status, body]).toEqual([
    expected,
    expect.stringMatching(/^\{"error":\{"code":"[a-z_]+","message":/),
  ]);
  const { error, meta } = JSON.parse(body) as { error: { message: string }; meta: { request_id: string } };
  expect(meta).toEqual({ request_id: headers['x-request-id'], timestamp: expect.stringMatching(/Z$/) });
  expect(meta.request_id).toMatch(/^req_[0-9A-Z]{26}$/);
  expect(Object.keys(headers)).toEqual(
    expect.arrayContaining(['x-ratelimit-limit', 'x-ratelimit-remaining']),
  );
  expect(error.message).not.toMatch(/node_modules|\.js|SELECT|FST_|HPE_/);
};

function* times(count: number, part: string | Buffer | ((i: number) => string)): Generator<string | Buffer> {
  for (let i = 0; i < count; i++) yield typeof part === 'function' ? part(i) : part;
}
function* inChunks(count: number): Generator<string | Buffer> {
  for (const part of times(count, FILLING)) {
    yield `${MIB.toString(16)}\r\n`;
    yield part;
    yield '\r\n';
  }
  yield '0\r\n\r\n';
}
function* parts(...pieces: (string | Buffer | Iterable<string | Buffer>)[]): Generator<string | Buffer> {
  for (const piece of pieces) {
    if (typeof piece === 'string' || Buffer.isBuffer(piece)) yield piece;
    else yield* piece;
  }
}
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const FORM = 'multipart/form-data; boundary=x';

describe('the server rejects bodies of 256 MiB', () => {
  it.each([
    ['in chunks', () => parts(post('/v1/generate'), CHUNKED, inChunks(LARGE)), 413],
    [
      'announced',
      () => parts(post('/v1/generate'), `Content-Length: ${LARGE * MIB}\r\n\r\n`, times(LARGE, FILLING)),
      413,
    ],
    [
      'without a token',
      () => parts('POST /v1/generate HTTP/1.1\r\nHost: x\r\n', CHUNKED, inChunks(LARGE)),
      401,
    ],
    ['of an unknown path', () => parts(post('/v1/nothing'), CHUNKED, inChunks(LARGE)), 404],
    [
      'that one chunk’s extension makes',
      () => parts(post('/v1/generate'), CHUNKED, '1;', times(LARGE, FILLING)),
      400,
    ],
    [
      'of trailers',
      () =>
        parts(
          post('/v1/generate'),
          CHUNKED,
          '0\r\n',
          times(100_000, (i) => `a${i}: b\r\n`),
        ),
      431,
    ],
    ['as a form without its boundary', () => parts(post('/v1/models', FORM), CHUNKED, inChunks(LARGE)), 413],
    [
      'as a file',
      () => parts(post('/v1/models', FORM), CHUNKED, chunk(filePart('file')), inChunks(LARGE)),
      413,
    ],
  ])('%s', async (_, bytes, status) => {
    refused(await whileServing(() => sent(bytes(), { insists: true })), status);
  });
});

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const filePart = (name: string, fileName = 'a.ngram') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\n\r\n`;

describe('the server rejects invalid or oversized JSON', () => {
  it.each([
    ['half a million brackets', '['.repeat(500_000), 422],
    ['brackets and keys', '{"a":'.repeat(200_000), 422],
    ['bytes that are not UTF-8', Buffer.from('7b2261223a22c328ff22 7d'.replace(' ', ''), 'hex'), 400],
    ['an overlong slash', Buffer.from('7b2261223a22c0af227d', 'hex'), 400],
    ['a byte order mark of UTF-16', Buffer.from('fffe7b007d00', 'hex'), 400],
    ['__proto__ as a field', '{"__proto__":{"schema":{}},"schema":{"generators":{},"output":[]}}', 422],
    ['constructor as a field', '{"constructor":{"prototype":{"polluted":1}}}', 422],
    [
      '__proto__ within a schema',
      '{"schema":{"generators":{"a":{"__proto__":{"type":"svc"}}},"output":["a"]}}',
      422,
    ],
    [
      '__proto__ as a template',
      '{"schema":{"generators":{"a":{"body":"{{__proto__.polluted}}"}},"output":["a"]}}',
      422,
    ],
    [
      'a hundred thousand unknown fields',
      `{${Array.from({ length: 70_000 }, (_, i) => `"a${i}":0`).join()}}`,
      422,
    ],
    ['a number of a million digits', `{"count":${'9'.repeat(1_000_000)}}`, 422],
  ])('%s', async (_, body, status) => {
    refused(await whileServing(() => sent([post('/v1/generate'), length(body), body])), status);
  });

  it('compressed bodies that expand to 64 MiB, as JSON and as a form', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB));
    for (const head of [post('/v1/generate'), post('/v1/models', FORM)])
      for (const encoding of ['gzip', 'deflate, gzip', 'br'])
        refused(
          await whileServing(() => sent([head, `Content-Encoding: ${encoding}\r\n`, length(bomb), bomb])),
          415,
        );
  });

  it('without effects on later requests', async () => {
    const schema = { generators: { id: { type: 'svc', algorithm: 'sequence' } }, output: ['id'] };
    const body = JSON.stringify({ schema, count: 1, seed: 1 });
    const answer = await fetch(`${server.url}/v1/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    });
    expect(await answer.json()).toMatchObject({ data: { records: [{ id: 1 }] } });
  });
});

describe('the server rejects the invalid form', () => {
  const form = (body: string, type = FORM) => sent([post('/v1/models', type), length(body), body]);
  const field = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nv\r\n`;

  it.each([
    ['no boundary', 'multipart/form-data', () => field('name'), 400],
    ['an empty boundary', 'multipart/form-data; boundary=', () => field('name'), 400],
    [
      'ten thousand fields',
      FORM,
      () => `${Array.from(times(10_000, (i) => field(`f${i}`))).join('')}--x--`,
      413,
    ],
    ['a field twice', FORM, () => `${field('name')}${field('name')}--x--`, 422],
    ['two files', FORM, () => `${filePart('file')}a\r\n${filePart('other')}a\r\n--x--`, 413],
    ['a file name of 16 MiB', FORM, () => `${filePart('file', 'a'.repeat(16 * MIB))}a\r\n--x--`, 422],
    ['endless part headers', FORM, () => `--x\r\n${'A: b\r\n'.repeat(1_000_000)}\r\na\r\n--x--`, 422],
    ['a part cut short', FORM, () => `${filePart('file')}aaa`, 400],
    ['names of the prototype', FORM, () => `${field('__proto__')}${field('constructor')}--x--`, 400],
    ['a file name that climbs', FORM, () => `${filePart('file', '../../etc/passwd')}a\r\n--x--`, 422],
    [
      'a form in a form',
      FORM,
      () => `--x\r\nContent-Type: multipart/mixed; boundary=y\r\n\r\n--y--\r\n--x--`,
      422,
    ],
  ])('%s', async (_, type, body, status) => {
    refused(await whileServing(() => form(body(), type)), status);
  });
});

describe('ids', () => {
  const IDS = [
    '..', '%2e%2e', '%2e%2e%2f%2e%2e', '%252e%252e', '%252e%252e%252f', '..%2f..%2fetc%2fpasswd', '%c0%ae%c0%ae',
    '%e0%80%ae', '%ed%a0%80', '%00', 'a%00b', '%ff', '%', '%u002e', 'a%0d%0aX:1', 'a%5c..%5cb', '__proto__', 'constructor',
    '%EF%BC%8E%EF%BC%8E', ';x=1', 'a%2Fb%2Fc', "'%20OR%201=1--", 'x'.repeat(10_000),
  ]; // prettier-ignore
  const PATHS = [
    '/v1/models/',
    '/v1/models/custom/',
    '/v1/sync/jobs/',
    '/v1/agents/',
    '/v1/tokens/',
    '/v1/org/members/',
  ];

  it.each(PATHS)('%s returns 404 for each of them', async (path) => {
    for (const id of IDS) {
      const answer = await sent([`${start(`GET ${path}${id}`)}\r\n`]);
      expect([id, answer.status]).toEqual([id, 404]);
      refused(answer, 404);
    }
  });
});

describe('the server rejects requests that are not HTTP', () => {
  const GET = (rest: string) => `${start('GET /v1/models')}${rest}\r\n`;
  const POST = (rest: string, body: string) => `${post('/v1/generate')}${rest}\r\n\r\n${body}`;

  it.each([
    ['a million query parameters', () => `${start(`GET /v1/models?${'a=1&'.repeat(1_000_000)}`)}\r\n`, 431],
    ['as many as fit', () => `${start(`GET /v1/models?${'a&'.repeat(7_000)}`)}\r\n`, 422],
    ['a hundred thousand headers', () => GET('A: b\r\n'.repeat(100_000)), 431],
    ['three thousand short headers', () => GET('a:\r\n'.repeat(3_000)), 431],
    ['a header without an end', () => `${start('GET /v1/models')}X: ${'a'.repeat(16 * MIB)}`, 431],
    ['a lone CR in a header', () => GET('X: a\rSet-Cookie: b\r\n'), 400],
    ['a NUL in a header', () => GET('X: a\0b\r\n'), 400],
    ['a space before the colon', () => GET('X : a\r\n'), 400],
    ['a folded header', () => GET('X: a\r\n b\r\n'), 400],
    ['raw bytes in the path', () => Buffer.from(`${start('GET /v1/models/é')}\r\n`, 'latin1'), 400],
    [
      'raw bytes in the token',
      () =>
        Buffer.from('GET /v1/models HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \xff\xfe\r\n\r\n', 'latin1'),
      401,
    ],
    ['a space in the path', () => `${start('GET /v1/models/a b')}\r\n`, 400],
    ['no Host', () => `GET /v1/models HTTP/1.1\r\nAuthorization: Bearer ${token}\r\n\r\n`, 400],
    ['two Hosts', () => GET('Host: y\r\n'), 400],
    [
      'a length and chunks',
      () =>
        POST(
          'Content-Length: 5\r\nTransfer-Encoding: chunked',
          '0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
        ),
      400,
    ],
    ['two lengths', () => POST('Content-Length: 2\r\nContent-Length: 3', '{} '), 400],
    ['a length with a sign', () => POST('Content-Length: +2', '{}'), 400],
    ['a negative length', () => POST('Content-Length: -1', '{}'), 400],
    ['a length over 2^64', () => POST('Content-Length: 99999999999999999999999', '{}'), 400],
    ['a length over 2^53', () => POST('Content-Length: 9007199254740993', '{}'), 413],
    [
      'chunks and something else',
      () => POST('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', '0\r\n\r\n'),
      400,
    ],
    ['almost chunks', () => POST('Transfer-Encoding: xchunked', '0\r\n\r\n'), 400],
    ['a chunk size that is none', () => POST('Transfer-Encoding: chunked', 'zz\r\n{}\r\n'), 400],
    ['a chunk size over 2^64', () => POST('Transfer-Encoding: chunked', 'fffffffffffffffff\r\n{}\r\n'), 400],
    ['HTTP/0.9', () => 'GET /\r\n\r\n', 404],
    ['HTTP/2 without asking', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['HTTP/3.0', () => 'GET / HTTP/3.0\r\nHost: x\r\n\r\n', 400],
    ['TLS', () => Buffer.from(`16030100c8010000c40303${'07'.repeat(200)}`, 'hex'), 400],
    ['zeros', () => Buffer.alloc(MIB), 400],
    ['a tunnel', () => `CONNECT example.com:443 HTTP/1.1\r\n${'Host: x\r\n'}\r\n`, 400],
    ['OPTIONS of everything', () => `${start('OPTIONS *')}\r\n`, 404],
    ['a method that nobody knows', () => `${start('FOO /v1/models')}\r\n`, 400],
    ['a method of WebDAV', () => `${start('PROPFIND /v1/models')}\r\n`, 405],
    ['TRACE', () => `${start('TRACE /v1/models')}\r\n`, 405],
    ['an expectation that nobody knows', () => POST('Expect: tea\r\nContent-Length: 2', '{}'), 422],
  ])('%s', async (_, bytes, status) => {
    refused(await whileServing(() => sent([bytes()])), status);
  });

  it('an invalid request after a valid one', async () => {
    const answers = await sendRaw(server.url, [`${GET('')}nonsense\r\n\r\n`], { responses: 2 });
    refused(answers.at(-1) as RawResponse, 400);
  });

  it('twenty thousand pipelined requests after the first responses', async () => {
    const answers = await whileServing(() =>
      sendRaw(server.url, times(20, GET('').repeat(1_000)), { responses: 20_000 }),
    );
    expect(answers.length).toBeGreaterThan(1);
    expect(answers.length).toBeLessThan(100);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers.at(-1)?.headers['connection']).toBe('close');
  });

  it.each([
    ['within the headers', () => start('GET /v1/models').slice(0, 30)],
    ['within the body', () => `${post('/v1/generate')}Content-Length: 100\r\n\r\n{`],
    ['within a form', () => `${post('/v1/models', FORM)}Content-Length: 100\r\n\r\n--x`],
  ])('an end of the sender %s', async (_, bytes) => {
    refused(await whileServing(() => sent([bytes()], { halfClose: true })), 400);
  });
});

describe('slow clients', () => {
  beforeAll(async () => {
    await server.kill();
    await startServer(3);
  });

  it('are disconnected with 408 while they send headers or a body', async () => {
    const heads = [
      'GET /v1/models HTTP/1.1\r\nX: a',
      `${post('/v1/generate')}Content-Length: 1000\r\n\r\n{`,
      `${post('/v1/generate')}${CHUNKED}1\r\n{\r\n`,
      `${post('/v1/models', FORM)}Content-Length: 1000\r\n\r\n--x\r\n`,
    ];
    const answers = await whileServing(() =>
      Promise.all(Array.from({ length: 400 }, (_, i) => sent([heads[i % heads.length] ?? '']))),
    );
    for (const answer of answers) {
      expect([answer.status, answer.headers['connection']]).toEqual([408, 'close']);
      expect(answer.body).toContain('"request_timeout"');
    }
  });
});
