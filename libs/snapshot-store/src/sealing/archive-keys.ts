import { hkdfSync } from 'node:crypto';
import type { ArchiveAttempt } from '../storage/archive-attempt.js';

export const KEY_BYTES = 32;
export const KEY_ID_BYTES = 8;
export const ATTEMPT_BYTES = 16;

/**
 * Identifies a key without revealing it.
 * @returns the first {@link KEY_ID_BYTES} bytes of a second key, which is derived from this key and used only
 * for the id
 */
export function keyId(key: Uint8Array): Buffer {
  return derive(key, '', ['key id']).subarray(0, KEY_ID_BYTES);
}

export function manifestKey(key: Uint8Array, attempt: ArchiveAttempt): Buffer {
  return derive(key, attempt.attemptId, ['manifest', attempt.archiveId]);
}

/**
 * Derives the key of a file. The key depends on the file's name and attempt, so a file cannot be opened under
 * another name or in another attempt.
 */
export function fileKey(key: Uint8Array, attempt: ArchiveAttempt, fileName: string): Buffer {
  return derive(key, attempt.attemptId, ['file', attempt.archiveId, fileName]);
}

/**
 * Derives a key with HKDF-SHA-256. Parts contain no line feed (see archive-names.ts), so different parts
 * never give the same input.
 */
function derive(key: Uint8Array, attemptId: string, parts: readonly string[]): Buffer {
  const info = ['understudy snapshot archive v1', ...parts].join('\n');
  return Buffer.from(hkdfSync('sha256', key, Buffer.from(attemptId, 'hex'), info, KEY_BYTES));
}

/** Holds the keys of a store. One of them seals new archives, and each can open archives. */
export class StoreKeys {
  private readonly byId: ReadonlyMap<string, Uint8Array>;

  /**
   * @param current 32 random bytes that seal new archives
   * @param older keys that sealed earlier archives
   * @throws RangeError if a key does not have 32 bytes
   */
  constructor(
    readonly current: Uint8Array,
    older: readonly Uint8Array[] = [],
  ) {
    const keys = [current, ...older];
    if (keys.some((key) => key.length !== KEY_BYTES))
      throw new RangeError(`a snapshot key must have ${KEY_BYTES} bytes`);
    this.byId = new Map(keys.map((key) => [keyId(key).toString('hex'), key]));
  }

  find(id: Uint8Array): Uint8Array | undefined {
    return this.byId.get(Buffer.from(id).toString('hex'));
  }
}
