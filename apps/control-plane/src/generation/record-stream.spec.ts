import { once } from 'node:events';

import { ApiError } from '../http/errors/api-error.js';
import type { AnswerFrame } from './answer-frame.js';
import { CHUNKS_AHEAD, HELD_BACK_BYTES, RecordStream } from './record-stream.js';

const CHUNK = 100_000;
const BARE: AnswerFrame = { head: '', tail: () => '' };
const FAILURE = new ApiError('generation_failed', 'no');

/** A thread that sends whenever it may. @returns how many chunks it has sent since the start */
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

const turnOfEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lets the thread work until it has to wait. */
async function exhaust(work: () => number): Promise<number> {
  for (let before = -1, sent = work(); ; sent = work()) {
    if (sent === before) return sent;
    before = sent;
    await turnOfEventLoop();
  }
}

describe('the record stream', () => {
  it('lets the thread make what is held back and the chunks ahead, then as much as is read', async () => {
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

  it('begins when 1 MiB is there, and not before', async () => {
    const stream = new RecordStream(BARE);
    let begun = false;
    void stream.begun().then(() => (begun = true));
    stream.receive({ bytes: new Uint8Array(HELD_BACK_BYTES - 1), records: 1 });
    await turnOfEventLoop();
    expect(begun).toBe(false);
    stream.receive({ bytes: new Uint8Array(1), records: 1 });
    await stream.begun();
  });

  it('begins with all of a short answer, head and tail around it', async () => {
    const stream = new RecordStream({ head: '[', tail: () => ']' });
    stream.receive({ bytes: Buffer.from('1'), records: 1 });
    stream.finish();
    await stream.begun();
    expect(Buffer.concat(await stream.toArray()).toString()).toBe('[1]');
  });

  it('refuses a failure before it has begun, whatever the last words', async () => {
    const stream = new RecordStream({ ...BARE, lastWords: () => 'x' });
    stream.receive({ bytes: new Uint8Array(HELD_BACK_BYTES - 1), records: 1 });
    stream.fail(FAILURE);
    await expect(stream.begun()).rejects.toBe(FAILURE);
    expect([stream.destroyed, stream.abandoned.aborted]).toEqual([true, true]);
  });

  it('ends with last words after it has begun', async () => {
    const stream = new RecordStream({ ...BARE, lastWords: ({ code }) => code });
    stream.receive({ bytes: new Uint8Array(HELD_BACK_BYTES), records: 1 });
    await stream.begun();
    stream.fail(FAILURE);
    const text = Buffer.concat(await stream.toArray()).toString();
    expect(text.slice(HELD_BACK_BYTES)).toBe('generation_failed');
  });

  it('is destroyed with the error where there are no last words', async () => {
    const stream = new RecordStream(BARE);
    stream.receive({ bytes: new Uint8Array(HELD_BACK_BYTES), records: 1 });
    await stream.begun();
    const failed = once(stream, 'error');
    stream.fail(FAILURE);
    expect(await failed).toEqual([FAILURE]);
  });

  it('tells the work that nobody reads any more, and takes nothing afterwards', async () => {
    const stream = new RecordStream(BARE);
    stream.destroy();
    expect(stream.abandoned.aborted).toBe(true);
    stream.receive({ bytes: new Uint8Array(1), records: 1 });
    stream.finish();
    stream.fail(FAILURE);
    await expect(stream.begun()).rejects.toMatchObject({ code: 'bad_request' });
  });
});
