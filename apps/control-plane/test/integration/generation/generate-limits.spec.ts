import { waitFor } from '@understudy/testing';

import { ENDLESS, SMALL } from '../harness/generation-schemas.js';
import { activityOf, send } from '../harness/open-response.js';
import { startControlPlane, type ApiResponse, type ControlPlane } from '../harness/start-control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ generation: { threads: 2, waiting: 4, heapMb: 64 } });
});
afterAll(() => plane?.stop());

const post = (body: unknown) => plane.request('/v1/generate', { method: 'POST', body });
const one = (generators: unknown, output: readonly string[] = ['it']) =>
  post({ schema: { generators, output }, count: 1, seed: 1 });
const until = (what: string, predicate: (activity: Awaited<ReturnType<typeof activityOf>>) => boolean) =>
  waitFor(what, async () => predicate(await activityOf(plane)));
const idle = () => until('the threads to be idle', ({ running, waiting }) => running + waiting === 0);
afterEach(idle);

function expectRefusal(response: ApiResponse, code: string): void {
  expect(response.body).toMatchObject({ error: { code, message: expect.any(String) } });
  expect(response.status).toBe(422);
}

describe('the limits of a request', () => {
  const sized = (sizes: string, count: number) =>
    post({
      schema: {
        generators: {
          n: { type: 'svc', algorithm: 'sequence' },
          it: { repeat: { count: sizes, of: { type: 'list', values: [1] } } },
        },
        output: ['it'],
      },
      count,
      format: 'csv',
    });

  it('allow 100,000 values per record and not one more', async () => {
    expect((await sized('if(n == 1, 100000, 0)', 1)).status).toBe(200);
    expectRefusal(await sized('if(n == 1, 100001, 0)', 1), 'limit_exceeded');
    const halves = {
      half: { repeat: { count: 50_000, of: { type: 'list', values: [1] } } },
      also: { output: '{{half}}' },
      one: { type: 'list', values: [1] },
    };
    expect((await one(halves, ['half', 'also'])).status).toBe(200);
    const past = await one(halves, ['half', 'also', 'one']);
    expectRefusal(past, 'limit_exceeded');
    expect(past.body).toMatchObject({ error: { details: [{ field: 'schema.generators.one' }] } });
  });

  it('allow 4 Mi characters per record in any number of values and not one more', async () => {
    const shared = (count: number) => ({
      text: { body: 'x'.repeat(4_096) },
      it: { repeat: { count, of: { output: '{{text}}' } } },
    });
    expect((await one(shared(1024))).status).toBe(200);
    expectRefusal(await one(shared(1025)), 'limit_exceeded');
    expectRefusal(await one(shared(100_000)), 'limit_exceeded');
  });

  it('end only the thread that uses too much memory', async () => {
    const text = "{{uppercase(pad_start(uuid(), 60000, 'ab'))}}";
    const [greedy, modest] = await Promise.all([
      one({ it: { repeat: { count: 100_000, of: { body: text } } } }),
      post({ schema: SMALL, count: 1_000 }),
    ]);
    expectRefusal(greedy, 'limit_exceeded');
    expect(greedy.text).toContain('memory');
    expect(modest.status).toBe(200);
    expect((await post({ schema: SMALL, count: 1 })).status).toBe(200);
  });
});

describe('a client that disconnects', () => {
  it('ends its work within one record', async () => {
    const request = send(plane, { schema: ENDLESS, count: 1 });
    await until('the work to begin', ({ running }) => running === 1);
    request.destroy();
    await idle();
    expect((await post({ schema: SMALL, count: 1 })).status).toBe(200);
  });
});

describe('more requests than threads', () => {
  it('wait in a bounded queue, beyond which the response is 503 with Retry-After', async () => {
    const busy = [1, 2].map(() => send(plane, { schema: ENDLESS, count: 1 }));
    await until('both threads to be busy', ({ running }) => running === 2);
    const waiting = [1, 2].map(() => post({ schema: SMALL, count: 1 }));
    await until('the places to be taken', ({ waiting: places }) => places === 2);
    const refused = await post({ schema: SMALL, count: 1 });
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ error: { code: 'unavailable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await plane.request('/healthz', { token: null })).status).toBe(200);
    for (const request of busy) request.destroy();
    for (const response of await Promise.all(waiting)) expect(response.status).toBe(200);
  });

  it('do not delay another organisation', async () => {
    const busy = [1, 2, 3].map(() => send(plane, { schema: ENDLESS, count: 1 }));
    await until('the threads to be busy', ({ running, waiting }) => running === 2 && waiting === 1);
    const { token } = await plane.addToken({ orgId: await plane.addOrganization() });
    const body = { schema: SMALL, count: 1 };
    expect((await plane.request('/v1/generate', { method: 'POST', token, body })).status).toBe(200);
    expect(await activityOf(plane)).toMatchObject({ running: 2, waiting: 1 });
    for (const request of busy) request.destroy();
  });

  it('share their threads with the checks of sync job rules', async () => {
    const busy = [1, 2].map(() => send(plane, { schema: ENDLESS, count: 1 }));
    await until('both threads to be busy', ({ running }) => running === 2);
    const job = plane.request('/v1/sync/jobs', {
      method: 'POST',
      body: {
        name: 'nightly',
        source: { type: 'postgresql', connection_string: 'agent:a' },
        target: { type: 'postgresql', connection_string: 'agent:b' },
        tables: [{ name: 't', columns: { c: { generator: 'xx/none' } } }],
      },
    });
    await until('the check to wait', ({ waiting }) => waiting === 1);
    for (const request of busy) request.destroy();
    const response = await job;
    expect(response.body).toMatchObject({ error: { details: [{ field: 'tables[0].columns.c.generator' }] } });
  });
});

describe('hostile schemas', () => {
  const repeated = (depth: number, count: number): unknown =>
    depth === 0
      ? { type: 'svc', algorithm: 'boolean' }
      : { repeat: { count, of: repeated(depth - 1, count) } };
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  const svc = (algorithm: string, params: unknown) => ({ it: { type: 'svc', algorithm, params } });

  it.each<[string, Record<string, unknown>, string]>([
    ['10^6 × 10^6 items', { it: repeated(2, 1_000_000) }, 'limit_exceeded'],
    ['ten levels of a hundred items', { it: repeated(10, 100) }, 'limit_exceeded'],
    [
      'shared parts that multiply',
      Object.fromEntries(
        Array.from({ length: 41 }, (_, i) => [
          i === 40 ? 'it' : `s${i}`,
          { output: i === 0 ? ['x', 'x'] : [`{{s${i - 1}}}`, `{{s${i - 1}}}`] },
        ]),
      ),
      'limit_exceeded',
    ],
    [
      'generators that need each other',
      {
        it: { repeat: { count: 1_000, of: { body: '{{b}}' } } },
        b: { repeat: { count: 1_000, of: { body: '{{it}}' } } },
      },
      'validation_error',
    ],
    ['an extremely long nanoid', svc('nanoid', { length: 1e9 }), 'validation_error'],
    ['1e308', svc('gaussian', { mean: 1e308, stddev: 1e308 }), 'validation_error'],
    ['JSON of 70 levels', { it: { output: deep(70) } }, 'limit_exceeded'],
    [
      '1,001 generators',
      Object.fromEntries(
        Array.from({ length: 1_001 }, (_, i) => [
          i === 0 ? 'it' : `g${i}`,
          { type: 'svc', algorithm: 'boolean' },
        ]),
      ),
      'limit_exceeded',
    ],
    ['20,000 nested parentheses', { it: { computed: '('.repeat(20_000) } }, 'limit_exceeded'],
    [
      'weights that are no numbers',
      { it: { type: 'list', values: [{ value: 1, weight: 'x' }] } },
      'validation_error',
    ],
    [
      '40,000 wrong weights',
      { it: { type: 'list', values: Array.from({ length: 40_000 }, () => ({ value: 1, weight: -1 })) } },
      'validation_error',
    ],
    ['a prototype as type', { it: { type: '__proto__' } }, 'validation_error'],
    ['a constructor as algorithm', svc('constructor', {}), 'validation_error'],
    ['a reference to a prototype', { it: { body: '{{__proto__.constructor}}' } }, 'validation_error'],
    ['a reference of 10,000 characters', { it: { body: `{{${'n'.repeat(10_000)}}}` } }, 'limit_exceeded'],
  ])('are refused with 422 while other requests are served: %s', async (_, generators, code) => {
    const [response, health] = await Promise.all([
      one(generators),
      plane.request('/healthz', { token: null }),
    ]);
    expectRefusal(response, code);
    expect(response.text.length).toBeLessThan(100_000);
    expect(health.status).toBe(200);
  });

  it.each<[string, Record<string, unknown>]>([
    ['100,000 weights', { it: { type: 'list', values: Array.from({ length: 100_000 }, (_, i) => i % 10) } }],
    ['a name of 10,000 characters', { ['n'.repeat(10_000)]: { type: 'list', values: ['x'] } }],
    ['an empty name', { '': { type: 'list', values: ['x'] } }],
    ['a name that JSON and CSV must quote', { 'a"\r\n,\u2028é😀': { type: 'list', values: ['x'] } }],
    ['toString', { toString: { type: 'list', values: ['x'] } }],
  ])('%s are data', async (_, generators) => {
    const output = Object.keys(generators);
    const response = await one(generators, output);
    expect(response.status).toBe(200);
    const { records } = (response.body as unknown as { data: { records: object[] } }).data;
    expect(records.map((record) => Object.keys(record))).toEqual([output]);
  });
});
