import { Readable } from 'node:stream';

import { ApiError, type FieldProblem } from '../../platform/http/errors/api-error.js';
import type { ResponseFrame } from './response-frame.js';
import { FlowControl } from '../compute/flow-control.js';
import type { Chunk } from '../compute/write-records.js';

/**
 * The number of bytes that are collected before the first byte is sent. If the generation fails earlier, the
 * client receives an error response.
 */
export const HELD_BACK_BYTES = 1024 * 1024;
/**
 * The number of chunks that the thread may generate in advance. The thread generates them while earlier
 * chunks are sent.
 */
export const CHUNKS_AHEAD = 4;

/**
 * The body of a response that a thread generates. Holds at most 1 MiB and the chunks generated in advance, for any size
 * of the response and any speed of the reader.
 *
 *     filling ──(1 MiB, or finish)──▶ begun ──▶ ended
 *        └──(fail)──▶ refused           └──(fail)──▶ error tail, or destroyed with the error
 */
export class RecordStream extends Readable {
  readonly flow = new FlowControl();
  /** The warnings of the first chunk. They are complete when `begun` has resolved. */
  warnings: readonly FieldProblem[] = [];
  private readonly abandonment = new AbortController();
  private readonly beginning: Promise<void>;
  private begin: () => void;
  private refuse: (error: ApiError) => void;
  private received = 0;
  private hasBegun = false;

  constructor(private readonly frame: ResponseFrame) {
    super({ highWaterMark: HELD_BACK_BYTES });
    this.beginning = new Promise((resolve, reject) => {
      this.begin = resolve;
      this.refuse = reject;
    });
    this.beginning.catch(() => undefined); // callers of `begun` receive the error
    this.on('error', () => undefined); // without a listener, an error event would end the process
    if (frame.head !== '') this.push(frame.head);
    this.read(0);
  }

  /** Aborted when the stream is closed. The remaining chunks are not needed then. */
  get abandoned(): AbortSignal {
    return this.abandonment.signal;
  }

  /**
   * Resolves when the first byte may be sent.
   * @throws ApiError that was passed to `fail`, or `bad_request` if the stream was destroyed
   */
  begun(): Promise<void> {
    return this.beginning;
  }

  receive({ bytes, warnings }: Chunk): void {
    if (this.destroyed) return;
    if (warnings) this.warnings = warnings;
    this.received += 1;
    this.push(bytes);
    if (this.readableLength >= HELD_BACK_BYTES) this.setBegun();
  }

  finish(): void {
    this.endWith(this.frame.tail());
    this.setBegun();
  }

  fail(error: ApiError): void {
    if (this.destroyed) return;
    if (!this.hasBegun) {
      this.refuse(error);
      this.destroy();
    } else if (this.frame.errorTail) {
      this.endWith(this.frame.errorTail(error));
    } else {
      this.destroy(error);
    }
  }

  override _read(): void {
    this.flow.allow(this.received + CHUNKS_AHEAD);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.refuse(new ApiError('bad_request', 'The client closed the connection.'));
    this.abandonment.abort();
    done(error);
  }

  private setBegun(): void {
    this.hasBegun = true;
    this.begin();
  }

  private endWith(text: string): void {
    if (this.destroyed) return;
    if (text !== '') this.push(text);
    this.push(null);
  }
}
