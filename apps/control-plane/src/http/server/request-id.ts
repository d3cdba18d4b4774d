import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';

/** Ours alone: what a client calls its request is never taken over. */
export const newRequestId = (): string => `req_${ulid(undefined, nextFraction)}`;

// A call of the system for each of an id's 16 characters costs more than the rest of the id.
const pool = new Uint8Array(4_096);
let used = pool.length;

function nextFraction(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return (pool[used++] as number) / 256;
}
