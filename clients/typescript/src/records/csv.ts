import { ConfigurationError, ConnectionError, StreamInterruptedError } from '../errors.js';
import { joined } from '../transport/response.js';
import { currentProcess, randomUuid } from '../transport/runtime.js';
import type { ByteStream } from './byte-stream.js';
import { MAX_RECORD } from './lines.js';

/** The largest CSV file that is returned as bytes. */
const MAX_BYTES = 1024 * 1024 * 1024;
const NEWLINE = 10;
const QUOTE = 34;

/** Returns the bytes of a CSV file. */
export async function readCsv(bytes: ByteStream, expected: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  await copyCsv(bytes, expected, (chunk) => {
    size += chunk.byteLength;
    if (size > MAX_BYTES)
      throw new ConfigurationError(`generateCsv: the file is larger than ${MAX_BYTES} bytes: pass \`to\``);
    chunks.push(chunk);
  });
  return joined(chunks);
}

/** Writes a CSV file to a stream, and closes the stream. If the file is not complete, it aborts the stream. */
export async function writeCsv(
  bytes: ByteStream,
  expected: number,
  to: WritableStream<Uint8Array>,
): Promise<void> {
  const writer = to.getWriter();
  try {
    await copyCsv(bytes, expected, (chunk) => writer.write(chunk));
    await writer.close();
  } catch (error) {
    // The first error is the one to report.
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
}

/** Writes a CSV file to a path. The file appears there only when it is complete. */
export async function saveCsv(bytes: ByteStream, expected: number, path: string): Promise<void> {
  const files = currentProcess().getBuiltinModule?.('node:fs/promises') as FileFunctions | undefined;
  const partial = `${path}.${randomUuid()}.part`;
  try {
    if (files === undefined)
      throw new ConfigurationError('to: this runtime has no files. Pass a WritableStream, or omit `to`');
    const file = await files.open(partial, 'wx');
    try {
      await copyCsv(bytes, expected, (chunk) => file.writeFile(chunk));
    } finally {
      await file.close();
    }
    await files.rename(partial, path);
  } catch (error) {
    await bytes.close();
    // The first error is the one to report. The file may not exist.
    await files?.rm(partial, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The used functions of `node:fs/promises`. The client does not import this module, so that it runs in browsers. */
interface FileFunctions {
  open(
    path: string,
    flags: string,
  ): Promise<{ writeFile(bytes: Uint8Array): Promise<void>; close(): Promise<void> }>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}

/** @throws StreamInterruptedError if the number of records is not the expected one, or a record is too large */
async function copyCsv(
  bytes: ByteStream,
  expected: number,
  write: (chunk: Uint8Array) => unknown,
): Promise<void> {
  const rows = new RowCounter();
  const interrupted = (reason: string, code?: string): StreamInterruptedError =>
    new StreamInterruptedError(
      `generate: received ${rows.complete} of ${expected} records: ${reason}`,
      rows.complete,
      expected,
      code,
    );
  try {
    for (let chunk = await bytes.read(); chunk !== undefined; chunk = await bytes.read()) {
      rows.add(chunk);
      if (rows.complete > expected) throw interrupted('the server sent more records than it announced');
      if (rows.open > MAX_RECORD)
        throw interrupted(`a record is larger than ${MAX_RECORD} bytes`, 'record_too_large');
      await write(chunk);
    }
  } catch (error) {
    throw error instanceof ConnectionError ? interrupted(error.message, error.code) : error;
  } finally {
    await bytes.close();
  }
  if (rows.open > 0 || rows.complete !== expected) throw interrupted('the file ended');
}

/** Counts the rows of a CSV file. A line break within quotes does not end a row. */
class RowCounter {
  /** The bytes of the row that has not ended. */
  open = 0;
  #rows = 0;
  #isQuoted = false;

  /** The number of complete rows without the header. */
  get complete(): number {
    return Math.max(0, this.#rows - 1);
  }

  add(chunk: Uint8Array): void {
    for (const byte of chunk) {
      this.open++;
      if (byte === QUOTE) this.#isQuoted = !this.#isQuoted;
      else if (byte === NEWLINE && !this.#isQuoted) {
        this.#rows++;
        this.open = 0;
      }
    }
  }
}
