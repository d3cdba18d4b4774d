import type { StreamInterruptedError } from '../errors.js';
import { joined } from '../transport/response.js';
import type { ByteStream } from './byte-stream.js';

/** The largest record, in bytes. */
export const MAX_RECORD = 16 * 1024 * 1024;
const NEWLINE = 10;

/**
 * Returns the lines of a stream of UTF-8 text in groups, without blank lines. The longest line and a chunk limit the
 * memory.
 * @param interrupted creates the error for a line that is too long
 */
export async function* readLines(
  bytes: ByteStream,
  interrupted: (reason: string, code: string) => StreamInterruptedError,
): AsyncGenerator<string[], void, undefined> {
  const decoder = new TextDecoder();
  // The chunks of a line that has not ended. Joining them only at its end keeps the time linear.
  let parts: Uint8Array[] = [];
  let size = 0;
  for (let chunk = await bytes.read(); chunk !== undefined; chunk = await bytes.read()) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      parts.push(chunk.subarray(0, end));
      yield linesOf(decoder.decode(joined(parts)));
      parts = [];
      size = 0;
    }
    if (end < chunk.byteLength) {
      parts.push(chunk.subarray(end));
      size += chunk.byteLength - end;
    }
    if (size > MAX_RECORD)
      throw interrupted(`a record is larger than ${MAX_RECORD} bytes`, 'record_too_large');
  }
  yield linesOf(decoder.decode(joined(parts)));
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
