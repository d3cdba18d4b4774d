import { setTimeout as sleep } from 'node:timers/promises';
import type { BucketClient } from './client.js';
import { bucketError } from './errors.js';

/**
 * Maximum number of consecutive resumes without progress. A resume that returns at least `PROGRESS_BYTES`
 * resets the count.
 */
const MAX_RESUMES = 3;
const PROGRESS_BYTES = 2 ** 20;
const FIRST_PAUSE_MS = 200;

/**
 * Reads one object. If the connection breaks in the middle, the download resumes at the same byte.
 * @returns undefined if the object does not exist
 */
export async function readObject(
  bucket: BucketClient,
  key: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const response = await bucket.get(key, signal);
  return response && contentOf(bucket, key, response, signal);
}

type ObjectResponse = NonNullable<Awaited<ReturnType<BucketClient['get']>>>;

async function* contentOf(
  bucket: BucketClient,
  key: string,
  first: ObjectResponse,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let response = first;
  let at = 0;
  for (let failures = 0, from = 0; ; from = at) {
    try {
      for await (const piece of response.Body as AsyncIterable<Uint8Array>) {
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
    if (next === undefined) return; // the object was removed in the meantime, and the reader finds it too short
    response = next;
  }
}
