import { kindOf } from '@understudy/sync-job';

/**
 * A file of a form. Its bytes are in a private field, so that code that iterates over the fields of a request
 * body does not reach them. The bytes are in shared memory, which worker threads can read without a copy.
 */
export class UploadedFile {
  readonly #bytes: Uint8Array<SharedArrayBuffer>;

  constructor(chunks: readonly Uint8Array[]) {
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    this.#bytes = new Uint8Array(new SharedArrayBuffer(size));
    let at = 0;
    for (const chunk of chunks) {
      this.#bytes.set(chunk, at);
      at += chunk.length;
    }
  }

  get bytes(): Uint8Array<SharedArrayBuffer> {
    return this.#bytes;
  }
}

/** The bytes of a JSON body that a worker thread parses, because it can be large. */
export class UnreadBody extends UploadedFile {}

/** Returns a class-validator message for a field that must be a file. */
export function expectedFile(what: string): { message: (args: { value: unknown }) => string } {
  return {
    message: ({ value }) =>
      value === undefined
        ? `is required: expected ${what}`
        : `expected ${what}, got ${value instanceof UploadedFile ? 'an empty file' : kindOf(value)}`,
  };
}
