import { Readable } from 'node:stream';

import { ApiError, type FieldProblem } from '../http/errors/api-error.js';
import type { AnswerFrame } from './answer-frame.js';
import { FlowControl } from '../compute/flow-control.js';
import type { Chunk } from '../compute/write-records.js';

/** So much of an answer is collected before any of it leaves: a failure until then is an answer of its own. */
export const HELD_BACK_BYTES = 1024 * 1024;
/** Chunks that may be made beyond those that were asked for: the thread works while the last ones are sent. */
export const CHUNKS_AHEAD = 4;

/**
 * The body of an answer while a thread makes it. Holds 1 MiB and the chunks ahead, whatever the size of the answer and
 * the speed of its reader.
 *
 *     filling ──(1 MiB, or finish)──▶ begun ──▶ ended
 *        └──(fail)──▶ refused           └──(fail)──▶ last words, or destroyed with the error
 */
export class RecordStream extends Readable {
  readonly flow = new FlowControl();
  /** Came with the first chunk, so they are known once the answer has begun. */
  warnings: readonly FieldProblem[] = [];
  private readonly abandonment = new AbortController();
  private readonly beginning: Promise<void>;
  private begin: () => void;
  private refuse: (error: ApiError) => void;
  private received = 0;
  private hasBegun = false;

  constructor(private readonly frame: AnswerFrame) {
    super({ highWaterMark: HELD_BACK_BYTES });
    this.beginning = new Promise((resolve, reject) => {
      this.begin = resolve;
      this.refuse = reject;
    });
    this.beginning.catch(() => undefined); // whoever waits for `begun` gets it
    this.on('error', () => undefined); // Node ends a process over an error that comes while nobody listens yet
    if (frame.head !== '') this.push(frame.head);
    this.read(0);
  }

  /** Aborted when the stream is closed: nobody reads what is still to come. */
  get abandoned(): AbortSignal {
    return this.abandonment.signal;
  }

  /** Resolves when the first byte may leave. @throws ApiError of `fail`, or `bad_request` when it was destroyed */
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
    } else if (this.frame.lastWords) {
      this.endWith(this.frame.lastWords(error));
    } else {
      this.destroy(error);
    }
  }

  override _read(): void {
    this.flow.allow(this.received + CHUNKS_AHEAD);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.refuse(new ApiError('bad_request', 'The client has gone.'));
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
