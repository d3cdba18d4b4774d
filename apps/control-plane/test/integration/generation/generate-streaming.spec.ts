import { casesOf, inBoth, inRelease, it, waitFor } from '@understudy/testing';

import { SMALL, WIDE } from '../harness/generation-schemas.js';
import { activityOf, openResponse, readToEnd, send } from '../harness/open-response.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const COUNT = 100_000;
/** The records before the failure, about 3 MB. A response begins after its first MiB. */
const BEFORE_FAILURE = 5_000;
const FAILS_LATE = {
  generators: { ...WIDE.generators, upto: { type: 'list', values: [BEFORE_FAILURE], where: 'item >= n' } },
  output: ['n', 'text', 'upto'],
};

let plane: ControlPlane;
beforeAll(async () => {
  // There are two threads for long work, so that a test can occupy one of them, and one thread for short work.
  plane = await startControlPlane({ generation: { threads: 3 } });
});
afterAll(() => plane?.stop());

const idle = () =>
  waitFor('idle threads', async () => {
    const { running, waiting } = await activityOf(plane);
    return running + waiting === 0;
  });
afterEach(idle);

const wide = (format: string) => ({ schema: WIDE, count: COUNT, seed: 5, format });
const generatedSince = async (before: number) => (await activityOf(plane)).records - before;

describe('100,000 records', () => {
  const FORMATS: readonly [string, (text: string) => number][] = [
    ['json', (text) => (JSON.parse(text) as { data: { records: unknown[] } }).data.records.length],
    ['ndjson', (text) => text.split('\n').length - 1],
    ['csv', (text) => text.split('\r\n').length - 2],
  ];
  inBoth.each(casesOf(FORMATS, 1))(
    'are streamed as %s while other requests are served',
    async (format, countOf) => {
      const large = await openResponse(plane, wide(format));
      expect(large.response.statusCode).toBe(200);
      const { status, body } = await plane.request('/v1/generate', {
        method: 'POST',
        body: { schema: SMALL, count: 3 },
      });
      expect([status, (body as unknown as { data: unknown }).data]).toEqual([
        200,
        expect.objectContaining({ records: [{ n: 1 }, { n: 2 }, { n: 3 }] }),
      ]);
      expect((await plane.request('/healthz', { token: null })).status).toBe(200);
      // No byte of this response has been read, so it cannot have ended before the other responses.
      expect((await activityOf(plane)).running).toBe(1);
      const { bytes, aborted } = await readToEnd(large);
      expect([aborted, countOf(bytes.toString())]).toEqual([false, COUNT]);
    },
  );

  it('are not generated faster than the client reads', async () => {
    const { records: before } = await activityOf(plane);
    const slow = await openResponse(plane, wide('ndjson'));
    // For comparison, the client reads a second response to its end. The first one had more time to be generated.
    const quick = await readToEnd(await openResponse(plane, wide('ndjson')));
    const held = (await generatedSince(before)) - COUNT;
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(COUNT / 2);
    const { bytes, aborted } = await readToEnd(slow);
    expect(aborted).toBe(false);
    expect(bytes.equals(quick.bytes)).toBe(true);
    expect(await generatedSince(before)).toBe(2 * COUNT);
  });

  it('are not generated for a client that has disconnected', async () => {
    const { records: before } = await activityOf(plane);
    const { request } = await openResponse(plane, wide('json'));
    request.destroy();
    await idle();
    expect(await generatedSince(before)).toBeLessThan(COUNT / 2);
  });

  it('leave one thread to short work and wait for each other', async () => {
    const held = await Promise.all([openResponse(plane, wide('csv')), openResponse(plane, wide('csv'))]);
    const third = send(plane, wide('csv'));
    await waitFor('the third request to wait', async () => (await activityOf(plane)).waiting === 1);
    const short = await plane.request('/v1/generate', { method: 'POST', body: { schema: SMALL, count: 1 } });
    expect(short.status).toBe(200);
    expect(await activityOf(plane)).toMatchObject({ running: 2, waiting: 1 });
    // A request that disconnects while it waits frees its slot.
    third.destroy();
    await waitFor('a free slot', async () => (await activityOf(plane)).waiting === 0);
    for (const { request } of held) request.destroy();
  });
});

describe('10,000,000 values', () => {
  const sized = (count: number) =>
    openResponse(plane, {
      schema: {
        generators: {
          n: { type: 'svc', algorithm: 'sequence' },
          it: { repeat: { count: 'if(n <= 100, 100000, 1)', of: { type: 'list', values: [1] } } },
        },
        output: ['it'],
      },
      count,
      format: 'ndjson',
    });
  const lastLine = (bytes: Buffer) => bytes.subarray(bytes.lastIndexOf('\n', -2) + 1).toString();

  inRelease('are the maximum of a request', async () => {
    const { bytes } = await readToEnd(await sized(100));
    expect(JSON.parse(lastLine(bytes))).toEqual({ it: new Array(100_000).fill(1) });
    const past = await readToEnd(await sized(101));
    expect(past.bytes.subarray(0, bytes.length).equals(bytes)).toBe(true);
    expect(JSON.parse(past.bytes.subarray(bytes.length).toString())).toMatchObject({
      error: {
        code: 'limit_exceeded',
        details: [{ field: expect.stringMatching(/^schema\.generators\.it/) }],
      },
    });
  });
});

describe('a failure after the first MiB', () => {
  const late = (format: string, headers?: Readonly<Record<string, string>>) =>
    openResponse(plane, { schema: FAILS_LATE, count: COUNT, seed: 1, format }, headers);

  it.each(['json', 'csv'])('aborts the connection for %s', async (format) => {
    const response = await late(format);
    expect(response.response.statusCode).toBe(200);
    const { bytes, aborted } = await readToEnd(response);
    expect(aborted).toBe(true);
    expect(bytes.length).toBeGreaterThan(1024 * 1024);
  });

  it('is marked by a character that no record can contain, if the caller asks for it', async () => {
    const marked = await late('ndjson', { 'x-generation-errors': 'marked' });
    expect(marked.response.headers['x-generation-errors']).toBe('marked');
    const plain = await late('ndjson');
    expect(plain.response.headers).not.toHaveProperty('x-generation-errors');
    const [announced, other] = [await readToEnd(marked), await readToEnd(plain)];
    const mark = announced.bytes.indexOf(0x1e);
    expect(announced.bytes.subarray(0, mark).toString()).toMatch(/\}\n$/);
    const unmarked = Buffer.concat([announced.bytes.subarray(0, mark), announced.bytes.subarray(mark + 1)]);
    expect(unmarked.equals(other.bytes)).toBe(true);
  });

  it('is the last line of ndjson after all records before it', async () => {
    const { bytes, aborted } = await readToEnd(await late('ndjson'));
    const lines = bytes.toString().split('\n');
    expect([aborted, lines.pop()]).toEqual([false, '']);
    const last = JSON.parse(lines.pop() ?? '') as unknown;
    expect(lines).toHaveLength(BEFORE_FAILURE);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ n: BEFORE_FAILURE });
    expect(last).toEqual({
      error: {
        code: 'generation_failed',
        message: expect.any(String),
        details: [{ field: expect.stringMatching(/^schema\.generators\.upto/), message: expect.any(String) }],
      },
    });
  });
});
