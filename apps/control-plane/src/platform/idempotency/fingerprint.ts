import { writeExactJson } from '@understudy/expression';
import { createHash, createHmac, type Hmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { MAX_BODY_BYTES, parseJsonBody } from '../http/pipeline/json-body.js';
import { UnreadBody, UploadedFile } from '../http/uploads/uploaded-file.js';
import { isRecord } from '../http/dto/read-dto.js';

/**
 * The number of bytes that are hashed before the code yields to the event loop. Hashing them takes about a
 * millisecond.
 */
const CHUNK_BYTES = 1024 * 1024;

export function hashOfKey(key: string): Uint8Array {
  return createHash('sha256').update(key).digest();
}

/**
 * Returns the fingerprint that two identical requests of one operation share. It covers the path, including
 * ids, and the parsed body. In a JSON body of up to 1 MiB, the order of keys matters but spaces do not. Each byte of
 * a larger one matters, because parsing it would block the event loop. In a form, the order of the fields and the
 * bytes of the file matter, but the boundary and the file's name do not.
 * @throws ApiError if a body that is not read yet is no valid JSON
 */
export async function fingerprintOf(key: string, path: string, body: unknown): Promise<Uint8Array> {
  const hmac = createHmac('sha256', key).update(`${path}\n`);
  if (body instanceof UnreadBody && body.bytes.length > MAX_BODY_BYTES) {
    await add(hmac, body.bytes);
    return hmac.digest();
  }
  const value = body instanceof UnreadBody ? parseJsonBody(body.bytes) : body;
  hmac.update(value === undefined ? '' : writeExactJson(value));
  const files = isRecord(value) ? Object.values(value).filter((part) => part instanceof UploadedFile) : [];
  for (const { bytes } of files) await add(hmac, bytes);
  return hmac.digest();
}

async function add(hmac: Hmac, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    hmac.update(bytes.subarray(at, at + CHUNK_BYTES));
    await setImmediate();
  }
}
