import { kindOf } from '@understudy/sync-job';

/**
 * A file of a form. Its bytes are no property, so that nothing that walks over a request's body comes across them, and are in
 * memory that threads can share.
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

/** Message of a class-validator rule for a field that is to be a file. */
export function expectedFile(what: string): { message: (args: { value: unknown }) => string } {
  return {
    message: ({ value }) =>
      value === undefined
        ? `is required: expected ${what}`
        : `expected ${what}, got ${value instanceof UploadedFile ? 'an empty file' : kindOf(value)}`,
  };
}
