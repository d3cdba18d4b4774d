import type { EntityManager } from 'typeorm';

/**
 * The bytes that one query transfers. PostgreSQL's driver decodes bytes on the event loop, so a whole file in
 * one query would delay every other request.
 */
const PART_BYTES = 512 * 1024;

type Queries = Pick<EntityManager, 'query'>;

/** Stores a file in parts inside the caller's transaction. */
export async function writeParts(manager: Queries, modelId: string, file: Uint8Array): Promise<void> {
  for (let at = 0, position = 0; at < file.length; at += PART_BYTES, position += 1) {
    const length = Math.min(PART_BYTES, file.length - at);
    const bytes = Buffer.from(file.buffer, file.byteOffset + at, length);
    await manager.query(INSERT_PART, [modelId, position, bytes]);
  }
}

/** @returns undefined if the file is missing or incomplete because it is being deleted */
export async function readParts(
  manager: Queries,
  modelId: string,
  byteLength: number,
): Promise<Uint8Array<SharedArrayBuffer> | undefined> {
  const file = new Uint8Array(new SharedArrayBuffer(byteLength));
  for (let at = 0, position = 0; at < byteLength; position += 1) {
    const [part] = await manager.query<{ bytes: Buffer }[]>(SELECT_PART, [modelId, position]);
    if (part === undefined || at + part.bytes.length > byteLength) return undefined;
    file.set(part.bytes, at);
    at += part.bytes.length;
  }
  return file;
}

const INSERT_PART = 'INSERT INTO custom_model_parts (model_id, position, bytes) VALUES ($1, $2, $3)';
const SELECT_PART = 'SELECT bytes FROM custom_model_parts WHERE model_id = $1 AND position = $2';
