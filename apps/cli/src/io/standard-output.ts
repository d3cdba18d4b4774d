/** Nobody reads the output any more (`… | head`): there is nothing left to do, and nothing is wrong. */
export class OutputClosed extends Error {}

/** Writes to stdout as fast as it is read. */
export class StandardOutput {
  constructor(private readonly stream: NodeJS.WritableStream = process.stdout) {
    // The writer of each chunk is told; without a listener Node ends the process over it.
    stream.on('error', () => undefined);
  }

  /** Resolves when the bytes have been taken. @throws OutputClosed */
  write(chunk: Uint8Array | string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.stream.write(chunk, (error) => {
        if (!error) resolve();
        else reject(Reflect.get(error, 'code') === 'EPIPE' ? new OutputClosed() : error);
      });
    });
  }
}
