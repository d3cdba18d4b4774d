import { asFileError } from '../cli-error.js';
import type { RowOutput } from './output-file.js';

/** Nobody reads the output any more (`… | head`): there is nothing left to do, and nothing is wrong. */
export class OutputClosed extends Error {}

/** Writes to stdout as fast as it is read. What was written cannot be taken back. */
export class StandardOutput implements RowOutput {
  constructor(private readonly stream: NodeJS.WritableStream = process.stdout) {
    // The writer of each chunk is told; without a listener Node ends the process over it.
    stream.on('error', () => undefined);
  }

  /** Resolves when the bytes have been taken. @throws OutputClosed; CliError, as when the disk behind it is full */
  async write(chunk: Uint8Array | string): Promise<void> {
    const error = await new Promise<Error | null | undefined>((resolve) => {
      this.stream.write(chunk, resolve);
    });
    if (!error) return;
    if (Reflect.get(error, 'code') === 'EPIPE') throw new OutputClosed();
    asFileError('stdout')(error);
  }

  async finish(): Promise<void> {
    // each write has waited for its bytes
  }

  async discard(): Promise<void> {
    // see above
  }
}
