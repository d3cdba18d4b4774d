import type { RecordsRequest, WorkerResponse } from './worker/messages.js';
import { BUDGET_MS, PlaygroundEngine } from './playground-engine.js';

/** A worker that responds only when the test calls `respond`. */
class HeldWorker {
  readonly received: { kind: string; seed?: number }[] = [];
  terminated = false;
  onmessage: ((event: { data: WorkerResponse }) => void) | null = null;
  onerror: (() => void) | null = null;

  postMessage(message: { kind: string }): void {
    this.received.push(message);
  }

  terminate(): void {
    this.terminated = true;
  }

  respond(text: string): void {
    this.send({ kind: 'records', output: { kind: 'text', text }, warnings: [] });
  }

  send(data: WorkerResponse): void {
    this.onmessage?.({ data });
  }
}

const workers: HeldWorker[] = [];
let engine: PlaygroundEngine;

function start(): Worker {
  const worker = new HeldWorker();
  workers.push(worker);
  return worker as unknown as Worker;
}

function request(seed: number): RecordsRequest {
  return { kind: 'records', schema: '{}', seed, count: 1, nowMs: 0, format: 'ndjson' };
}

beforeEach(() => {
  jest.useFakeTimers();
  workers.length = 0;
  engine = new PlaygroundEngine(start, 'http://localhost/dashboard/model-files/');
});
afterEach(() => {
  engine.close();
  jest.useRealTimers();
});

describe('PlaygroundEngine', () => {
  it('starts one worker for all requests, and sends it the address of the models first', async () => {
    const first = engine.ask(request(1));
    workers[0]?.respond('one');
    expect(await first).toMatchObject({ kind: 'records', output: { text: 'one' } });
    const second = engine.ask(request(2));
    workers[0]?.respond('two');
    expect(await second).toMatchObject({ output: { text: 'two' } });
    expect(workers).toHaveLength(1);
    expect(workers[0]?.received).toEqual([
      { kind: 'start', models: 'http://localhost/dashboard/model-files/' },
      request(1),
      request(2),
    ]);
  });

  it('gives the records of only the newest of several requests', async () => {
    const responses = [1, 2, 3].map((seed) => engine.ask(request(seed)));
    workers[0]?.respond('stale');
    workers[0]?.respond('newest');
    const kinds = (await Promise.all(responses)).map(({ kind }) => kind);
    expect(kinds).toEqual(['replaced', 'replaced', 'records']);
    expect(workers[0]?.received.map(({ seed }) => seed)).toEqual([undefined, 1, 3]);
  });

  it('keeps a request for the catalog while newer requests for records arrive', async () => {
    const records = engine.ask(request(1));
    const catalog = engine.ask({ kind: 'catalog' });
    const newer = engine.ask(request(2));
    workers[0]?.respond('stale');
    workers[0]?.send({ kind: 'catalog', generators: [], models: [], functions: [] });
    workers[0]?.respond('newest');
    expect((await records).kind).toBe('replaced');
    expect((await catalog).kind).toBe('catalog');
    expect((await newer).kind).toBe('records');
  });

  it('ends a request that exceeds its budget, and starts a new worker for the next one', async () => {
    const slow = engine.ask(request(1));
    jest.advanceTimersByTime(BUDGET_MS);
    expect(await slow).toEqual({ kind: 'timeout' });
    expect(workers[0]?.terminated).toBe(true);
    const next = engine.ask(request(2));
    workers[1]?.respond('two');
    expect(await next).toMatchObject({ output: { text: 'two' } });
  });

  it('ends a request that a newer one has replaced, before its own budget ends', async () => {
    const slow = engine.ask(request(1));
    const newer = engine.ask(request(2));
    jest.advanceTimersByTime(BUDGET_MS / 2);
    expect(await slow).toEqual({ kind: 'replaced' });
    expect(workers.map(({ terminated }) => terminated)).toEqual([true, false]);
    workers[1]?.respond('two');
    expect(await newer).toMatchObject({ output: { text: 'two' } });
  });

  it('reports a worker that cannot be started, and tries again with the next request', async () => {
    const first = engine.ask(request(1));
    workers[0]?.onerror?.();
    expect(await first).toEqual({ kind: 'failed', cause: 'engine' });
    const second = engine.ask(request(2));
    workers[1]?.respond('two');
    expect((await second).kind).toBe('records');
  });

  it('starts a new worker after one could not fetch a file', async () => {
    const first = engine.ask(request(1));
    workers[0]?.send({ kind: 'failed', cause: 'assets' });
    expect(await first).toEqual({ kind: 'failed', cause: 'assets' });
    const second = engine.ask(request(2));
    workers[1]?.respond('two');
    expect((await second).kind).toBe('records');
    expect(workers[0]?.terminated).toBe(true);
  });

  it('resolves all requests when it is closed', async () => {
    const responses = [engine.ask(request(1)), engine.ask({ kind: 'catalog' })];
    engine.close();
    expect(await Promise.all(responses)).toEqual([{ kind: 'replaced' }, { kind: 'replaced' }]);
    expect(workers[0]?.terminated).toBe(true);
  });
});
