import { once } from 'node:events';

import { ApiError } from '../../platform/http/errors/api-error.js';
import type { ResponseFrame } from './response-frame.js';
import { CHUNKS_AHEAD, HELD_BACK_BYTES, RecordStream } from './record-stream.js';

const CHUNK = 100_000;
const BARE: ResponseFrame = { head: '', tail: () => '' };
const FAILURE = new ApiError('generation_failed', 'no');

/**
 * Simulates a thread that sends chunks whenever the stream allows it.
 * @returns a function that lets the thread work and returns the number of chunks sent since the start
 */
function threadFor(stream: RecordStream): () => number {
  let sent = 0;
  return () => {
    const allowed = new Int32Array(stream.flow.memory);
    while (sent < Atomics.load(allowed, 0)) {
      sent += 1;
      stream.receive({ bytes: new Uint8Array(CHUNK).fill(sent), records: 1 });
    }
    return sent;
  };
}

const nextEventLoopIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lets the thread work until it must wait. */
async function exhaust(work: () => number): Promise<number> {
  for (let before = -1, sent = work(); ; sent = work()) {
    if (sent === before) return sent;
    before = sent;
    await nextEventLoopIteration();
  }
}

describe('RecordStream', () => {
  it('lets the thread generate 1 MiB and a few chunks in advance, and then only as much as is read', async () => {
    const stream = new RecordStream(BARE);
    const work = threadFor(stream);
    const most = Math.ceil(HELD_BACK_BYTES / CHUNK) + CHUNKS_AHEAD;
    let made = await exhaust(work);
    expect(made).toBeGreaterThanOrEqual(Math.ceil(HELD_BACK_BYTES / CHUNK));
    expect(made).toBeLessThanOrEqual(most);
    expect(stream.readableLength).toBe(made * CHUNK);
    for (let read = CHUNK; read <= 40 * CHUNK; read += CHUNK) {
      expect((stream.read(CHUNK) as Buffer).every((byte) => byte === read / CHUNK)).toBe(true);
      made = await exhaust(work);
      expect(made).toBeLessThanOrEqual(read / CHUNK + most);
      expect(made * CHUNK - read).toBeGreaterThanOrEqual(HELD_BACK_BYTES - CHUNK);
    }
  });

  it('begins as soon as it holds 1 MiB, and not before', async () => {
    const stream = new RecordStream(BARE);
    let begun = false;
    void stream.begun().then(() => (begun = true));
    stream.receive({ bytes: new Uint8Array(HELD_BACK_BYTES - 1), records: 1 });
    await nextEventLoopIteration();
    expect(begun).toBe(false);
    stream.receive({ bytes: new Uint8Array(1), records: 1 });
    await stream.begun();
  });

  it('begins when a short response is complete and adds head and tail', async () => {
    const stream = new RecordStream({ head: '[', tail: () => ']' });
    stream.receive({ bytes: Buffer.from('1'), records: 1 });
    stream.finish();
    await stream.begun();
    expect(Buffer.concat(await stream.toArray()).toString()).toBe('[1]');
  });

  it('rejects begun() if the task fails before it has begun, even with an error tail', async () => {
    const stream = new RecordStream({ ...BARE, errorTail: () => 'x' });
    stream.receive({ bytes: new Uint8Array(HELD_BACK_BYTES - 1), records: 1 });
    stream.fail(FAILURE);
    await expect(stream.begun()).rejects.toBe(FAILURE);
    expect([stream.destroyed, stream.abandoned.aborted]).toEqual([true, true]);
  });

  it('ends with the error tail if the task fails after it has begun', async () => {
    const stream = new RecordStream({ ...BARE, errorTail: ({ code }) => code });
    stream.receive({ bytes: new Uint8Array(HELD_BACK_BYTES), records: 1 });
    await stream.begun();
    stream.fail(FAILURE);
    const text = Buffer.concat(await stream.toArray()).toString();
    expect(text.slice(HELD_BACK_BYTES)).toBe('generation_failed');
  });

  it('is destroyed with the error if there is no error tail', async () => {
    const stream = new RecordStream(BARE);
    stream.receive({ bytes: new Uint8Array(HELD_BACK_BYTES), records: 1 });
    await stream.begun();
    const failed = once(stream, 'error');
    stream.fail(FAILURE);
    expect(await failed).toEqual([FAILURE]);
  });

  it('aborts the task when it is destroyed, and ignores later chunks', async () => {
    const stream = new RecordStream(BARE);
    stream.destroy();
    expect(stream.abandoned.aborted).toBe(true);
    stream.receive({ bytes: new Uint8Array(1), records: 1 });
    stream.finish();
    stream.fail(FAILURE);
    await expect(stream.begun()).rejects.toMatchObject({ code: 'bad_request' });
  });
});
