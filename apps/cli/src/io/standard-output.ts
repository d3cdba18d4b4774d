import { asFileError } from '../cli-error.js';
import type { RowOutput } from './output-file.js';

/** Thrown if the reader of the output has closed it, as in `… | head`. The command then ends successfully. */
export class OutputClosed extends Error {}

/** Writes to stdout and waits until its reader accepts more bytes. Written bytes cannot be discarded. */
export class StandardOutput implements RowOutput {
  constructor(private readonly stream: NodeJS.WritableStream = process.stdout) {
    // `write` reports each error to its caller. Without a listener, Node would also end the process.
    stream.on('error', () => undefined);
  }

  /**
   * Writes bytes. Resolves when the stream has accepted them.
   * @throws OutputClosed if the reader closed the output, CliError for other errors such as a full disk
   */
  async write(chunk: Uint8Array | string): Promise<void> {
    const error = await new Promise<Error | null | undefined>((resolve) => {
      this.stream.write(chunk, resolve);
    });
    if (!error) return;
    if (Reflect.get(error, 'code') === 'EPIPE') throw new OutputClosed();
    asFileError('stdout')(error);
  }

  async finish(): Promise<void> {
    // Nothing remains to do, because each write has waited for its bytes.
  }

  async discard(): Promise<void> {
    // Written bytes cannot be removed.
  }
}
