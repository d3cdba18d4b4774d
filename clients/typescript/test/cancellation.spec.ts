import { getEventListeners } from 'node:events';

import { FaultServer } from '../../test/support/fault-server.js';
import { StreamInterruptedError, TimeoutError, Understudy, type GeneratedRecord } from '../src/index.js';

const SCHEMA = { generators: {}, output: [] };

describe('a call', () => {
  let server: FaultServer;
  let client: Understudy;
  beforeAll(async () => {
    server = await FaultServer.start();
    client = new Understudy({ token: 'token', baseUrl: server.url });
  });
  afterAll(() => server.stop());

  /** The running timers of calls with this timeout. Other timers of the process have other times. */
  const TIMEOUT = 123.456;
  const running = new Set<unknown>();
  beforeEach(() => {
    const { setTimeout, clearTimeout } = globalThis;
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number) => {
      const timer = setTimeout(run, ms);
      if (ms === TIMEOUT * 1000) running.add(timer);
      return timer;
    }) as typeof setTimeout);
    jest.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
      running.delete(timer);
      clearTimeout(timer);
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    expect(running.size).toBe(0);
  });

  it('sends nothing if its signal has aborted', async () => {
    server.play([{ data: { id: 'job_1' } }]);
    const signal = AbortSignal.abort(new Error('not needed'));
    await expect(client.jobs.get('job_1', {}, { signal })).rejects.toThrow('not needed');
    expect(server.requests).toEqual([]);
  });

  it('rejects with the reason of its signal while it waits for a response', async () => {
    server.play([{ fault: { at: 'request', how: 'hang' } }]);
    const controller = new AbortController();
    const call = client.jobs.get('job_1', {}, { signal: controller.signal, timeout: TIMEOUT });
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(running.size).toBe(1);
    controller.abort(new Error('the user left the page'));
    await expect(call).rejects.toThrow('the user left the page');
  });

  it('rejects with the reason of its signal while it waits for the next attempt', async () => {
    server.play([{ status: 503, headers: { 'retry-after': '50' }, text: '' }]);
    const controller = new AbortController();
    const waiting = new Understudy({
      token: 'token',
      baseUrl: server.url,
      onAttempt: () => setImmediate(() => controller.abort(new Error('the user left the page'))),
    });
    await expect(waiting.jobs.get('job_1', {}, { signal: controller.signal })).rejects.toThrow(
      'the user left',
    );
    expect(server.requests).toHaveLength(1);
  });

  it('leaves no timer and no listener', async () => {
    server.play([{ data: { id: 'job_1' } }, { records: 3 }]);
    const { signal } = new AbortController();
    await client.jobs.get('job_1', {}, { signal, timeout: TIMEOUT });
    await client.generate(SCHEMA, 3, { signal, timeout: TIMEOUT });
    expect(running.size).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends a stream of records when its signal aborts', async () => {
    server.play([{ records: 1_000_000 }]);
    const controller = new AbortController();
    const stream = await client.generateStream(SCHEMA, 1_000_000, { signal: controller.signal });
    const received: GeneratedRecord[] = [];
    const read = async (): Promise<void> => {
      for await (const record of stream) {
        received.push(record);
        controller.abort(new Error('enough'));
      }
    };
    await expect(read()).rejects.toThrow('enough');
    expect(received.length).toBeGreaterThan(0);
    expect(await server.lastEnd()).toBe('closed by the client');
  });

  it('reports how many records arrived before a stream stopped for too long', async () => {
    server.play([{ records: 1000, fault: { at: 'body', after: 100, how: 'hang' } }]);
    const stream = await client.generateStream(SCHEMA, 1000, { timeout: 2, maxRetries: 0 });
    const read = async (): Promise<void> => {
      for await (const record of stream) expect(record).toHaveProperty('id');
    };
    await expect(read()).rejects.toBeInstanceOf(StreamInterruptedError);
    server.play([{ records: 1000, fault: { at: 'body', after: 100, how: 'hang' } }]);
    const again = client.generate(SCHEMA, 1000, { timeout: 2, maxRetries: 0 });
    await expect(again).rejects.toMatchObject({ received: 3, expected: 1000 });
  });

  it('does not count the time that the caller needs for a record', async () => {
    server.play([{ records: 20_000 }]);
    const stream = await client.generateStream(SCHEMA, 20_000, { timeout: TIMEOUT });
    await stream.next();
    expect(running.size).toBe(0);
    let received = 1;
    for await (const record of stream) received += 'id' in record ? 1 : 0;
    expect(received).toBe(20_000);
  });

  it('ends with a TimeoutError if the body of a response takes too long', async () => {
    server.play([{ repeat: { text: ' ', times: 1e9 }, split: 1, pause: 20 }]);
    await expect(client.jobs.get('job_1', {}, { timeout: 0.2, maxRetries: 0 })).rejects.toBeInstanceOf(
      TimeoutError,
    );
  });
});
