import { ByteSink } from '@understudy/bytes';
import type { MessageReceiver } from '@understudy/postgres';
import type { MaskStream } from './mask-stream.js';

/** What makes of a chunk's rows as they come what the target gets. */
export interface RowReceiver extends MessageReceiver {
  /** After the last row: all is written. @returns columns in which a value was cut */
  finish(): Promise<readonly string[]>;
  /** Whatever became of the chunk. */
  close(): void;
}

/**
 * Sends a piece to the target.
 * @param messages that have begun so far
 * @param onSent called when the piece's bytes may be used again
 * @returns a promise while the target cannot take more
 */
export type WritePiece = (
  piece: Uint8Array,
  messages: number,
  onSent?: () => void,
) => Promise<void> | undefined;

/** Masks what one read has given here and now, and sends it on in one piece. */
export class MaskingReceiver implements RowReceiver {
  private out = new ByteSink();
  /** Buffers whose bytes are sent: as many as are in flight at once, not one a piece. */
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
    // holds nothing
  }
}
