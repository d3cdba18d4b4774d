import { setTimeout as sleep } from 'node:timers/promises';
import type { BucketClient } from './client.js';
import { bucketError } from './errors.js';

/** Resumes in a row that are allowed, unless one brings this much. */
const MAX_RESUMES = 3;
const PROGRESS_BYTES = 2 ** 20;
const FIRST_PAUSE_MS = 200;

/**
 * Reads one object; a connection that breaks in the middle is taken up again where it broke.
 * @returns undefined if there is no such object
 */
export async function readObject(
  bucket: BucketClient,
  key: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const answer = await bucket.get(key, signal);
  return answer && contentOf(bucket, key, answer, signal);
}

type Answer = NonNullable<Awaited<ReturnType<BucketClient['get']>>>;

async function* contentOf(
  bucket: BucketClient,
  key: string,
  first: Answer,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let answer = first;
  let at = 0;
  for (let failures = 0, from = 0; ; from = at) {
    try {
      for await (const piece of answer.Body as AsyncIterable<Uint8Array>) {
        at += piece.length;
        yield piece;
      }
      return;
    } catch (error) {
      signal.throwIfAborted();
      failures = at - from < PROGRESS_BYTES ? failures + 1 : 1;
      if (failures > MAX_RESUMES) throw bucketError(error);
    }
    await sleep(FIRST_PAUSE_MS * 2 ** (failures - 1), undefined, { signal });
    const next = await bucket.get(key, signal, at, first.ETag);
    if (next === undefined) return; // removed meanwhile: the reader sees that it is too short
    answer = next;
  }
}
