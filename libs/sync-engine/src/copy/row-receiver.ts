import { ByteSink } from '@understudy/bytes';
import type { MessageReceiver } from '@understudy/postgres';
import type { MaskStream } from './mask-stream.js';

/** Receives a chunk's rows from the source, masks them and writes them to the target. */
export interface RowReceiver extends MessageReceiver {
  /**
   * Call after the last row. Resolves when all rows are written.
   * @returns the columns in which a value was cut
   */
  finish(): Promise<readonly string[]>;
  /** Releases the receiver's resources. Call it in every case, also after an error. */
  close(): void;
}

/**
 * Writes bytes to the target.
 * @param messages the number of COPY messages that have begun so far
 * @param onSent called when the buffer of `piece` may be overwritten
 * @returns a promise that resolves when the target accepts more bytes; undefined if it accepts them already
 */
export type WritePiece = (
  piece: Uint8Array,
  messages: number,
  onSent?: () => void,
) => Promise<void> | undefined;

/** Masks rows in the current thread. Calls `write` at most once for each read of the socket. */
export class MaskingReceiver implements RowReceiver {
  private out = new ByteSink();
  /** Buffers that can be reused because their bytes have been sent. */
  private readonly idle: ByteSink[] = [];

  constructor(
    private readonly mask: MaskStream,
    private readonly write: WritePiece,
  ) {}

  take(bytes: Uint8Array, start: number, end: number, isLast: boolean): void {
    this.mask.take(bytes, start, end, isLast, this.out);
  }

  flush(messages: number): Promise<void> | undefined {
    const { out, idle } = this;
    if (out.length === 0) return undefined;
    this.out = idle.pop() ?? new ByteSink();
    return this.write(out.bytes.subarray(0, out.length), messages, () => {
      out.length = 0;
      idle.push(out);
    });
  }

  finish(): Promise<readonly string[]> {
    this.mask.finish();
    return Promise.resolve([...this.mask.truncated]);
  }

  close(): void {
    // there is nothing to release
  }
}
