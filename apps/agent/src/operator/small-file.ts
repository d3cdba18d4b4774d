import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Reads a JSON object from a small regular file. Does not follow a symbolic link and does not wait for a pipe, because
 * another user may be able to create files in the folder.
 *
 * @param maxBytes a larger file is not read
 * @returns undefined if the file does not exist, is not regular, is too large or contains no JSON object
 * @throws if the file exists and this process may not read it
 */
export async function readSmallFile(path: string, maxBytes: number): Promise<object | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    if (['ENOENT', 'ELOOP', 'ENXIO'].includes((error as { code?: string }).code ?? '')) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const facts = await file.stat();
    if (!facts.isFile() || facts.size > maxBytes) return undefined;
    const bytes = Buffer.alloc(facts.size);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return parseObject(bytes.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // a file that is not JSON counts as no file
  }
}
