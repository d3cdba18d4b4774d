import type { FastifyReply } from 'fastify';

import { UploadMemory } from '../../../platform/http/uploads/upload-memory.js';

/** Smaller responses are not counted, because the client's connection itself costs about as much memory. */
const SMALL_BYTES = 64 * 1024;
const MEMORY_BYTES = 256 * 1024 * 1024;

/** Limits the memory of responses that clients read slowly. */
export class ResponseMemory {
  private readonly memory = new UploadMemory(MEMORY_BYTES);

  /**
   * Reserves memory until the response has been sent.
   * @returns false if not enough memory is free
   */
  take(organizationId: string, bytes: number, { raw }: FastifyReply): boolean {
    if (isSmall(bytes)) return true;
    const allowance = this.memory.open(organizationId);
    if (!allowance.take(bytes)) return false;
    if (raw.closed) allowance.release();
    else raw.once('close', () => allowance.release());
    return true;
  }
}

/** Returns whether a response is too small to be counted. */
export function isSmall(bytes: number): boolean {
  return bytes < SMALL_BYTES;
}
