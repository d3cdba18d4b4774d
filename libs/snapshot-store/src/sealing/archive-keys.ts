import { hkdfSync } from 'node:crypto';

export const KEY_BYTES = 32;
export const KEY_ID_BYTES = 8;
export const ATTEMPT_BYTES = 16;

/** One making of one archive. Its keys are of use nowhere else. */
export interface KeyScope {
  readonly archiveId: string;
  /** {@link ATTEMPT_BYTES} random bytes in hex: two makings of the same archive share no key. */
  readonly attempt: string;
}

/** Names a key without telling anything of it: the first {@link KEY_ID_BYTES} bytes derived for that. */
export function keyId(key: Uint8Array): Buffer {
  return derive(key, '', ['key id']).subarray(0, KEY_ID_BYTES);
}

export function manifestKey(key: Uint8Array, scope: KeyScope): Buffer {
  return derive(key, scope.attempt, ['manifest', scope.archiveId]);
}

/** The name is part of the key: a file under another name, or in another archive, cannot be opened. */
export function fileKey(key: Uint8Array, scope: KeyScope, fileName: string): Buffer {
  return derive(key, scope.attempt, ['file', scope.archiveId, fileName]);
}

/** HKDF-SHA-256. Parts hold no line feed (see archive-names.ts), so different ones never give the same bytes. */
function derive(key: Uint8Array, attempt: string, parts: readonly string[]): Buffer {
  const info = ['understudy snapshot archive v1', ...parts].join('\n');
  return Buffer.from(hkdfSync('sha256', key, Buffer.from(attempt, 'hex'), info, KEY_BYTES));
}
