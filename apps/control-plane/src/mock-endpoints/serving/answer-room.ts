import type { FastifyReply } from 'fastify';

import { UploadMemory } from '../../http/uploads/upload-memory.js';

/** Answers of less are not counted: a connection costs about as much. */
const SMALL_BYTES = 64 * 1024;
const ROOM_BYTES = 256 * 1024 * 1024;

/** Bounds the memory of answers that clients are slow to read. */
export class AnswerRoom {
  private readonly memory = new UploadMemory(ROOM_BYTES);

  /** @returns false when there is no room; it is given back when the answer has been sent */
  take(organizationId: string, bytes: number, { raw }: FastifyReply): boolean {
    if (isSmall(bytes)) return true;
    const allowance = this.memory.open(organizationId);
    if (!allowance.take(bytes)) return false;
    if (raw.closed) allowance.release();
    else raw.once('close', () => allowance.release());
    return true;
  }
}

/** An answer that needs no room. */
export function isSmall(bytes: number): boolean {
  return bytes < SMALL_BYTES;
}
