import type { RowReceiver, WritePiece } from '../row-receiver.js';
import { SyncJobError } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import type { MaskingFailure, MaskingReply } from './masking-messages.js';
import type { MaskingThreads, ThreadStream } from './masking-threads.js';

/**
 * The maximum number of batches of one chunk that are being masked or wait for the target. A batch consists
 * of the rows of one read of the socket.
 */
const MAX_PENDING_BATCHES = 4;
const BUFFER_BYTES = 1 << 17;
/** The size in bytes above which a buffer is not kept for reuse. */
const MAX_KEPT_BYTES = 1 << 20;

type SpareBuffer = Uint8Array<ArrayBuffer>;

/** Sends rows to a masking thread, and writes the masked rows to the target in the same order. */
export class ThreadReceiver implements RowReceiver {
  private readonly stream: ThreadStream;
  /** The bytes of the current read of the socket. They are valid until `flush`. */
  private source: Uint8Array = new Uint8Array(0);
  private bounds: number[] = [];
  private isOpen = false;
  private readonly idle: SpareBuffer[] = [];
  /** For each batch without a reply: the number of COPY messages that had begun when the batch was sent. */
  private readonly begun: number[] = [];
  private pendingBatches = 0;
  private failed: { readonly error: unknown } | undefined;
  private truncated: readonly string[] | undefined;
  /** Makes a waiting `until` check its condition again. */
  private wake: () => void = () => undefined;

  constructor(
    threads: MaskingThreads,
    plan: TablePlan,
    isText: boolean,
    private readonly write: WritePiece,
  ) {
    this.stream = threads.open(plan, isText, (reply) => {
      this.receive(reply);
    });
  }

  take(bytes: Uint8Array, start: number, end: number, isLast: boolean): void {
    this.source = bytes;
    this.bounds.push(start, end);
    this.isOpen = !isLast;
  }

  flush(messages: number): Promise<void> | undefined {
    const { bounds, isOpen } = this;
    if (this.failed !== undefined) return Promise.reject(this.failed.error);
    const [from] = bounds;
    if (from === undefined) return undefined;
    const to = bounds.at(-1) ?? from;
    const bytes = this.spareBuffer(to - from).subarray(0, to - from);
    bytes.set(this.source.subarray(from, to));
    this.stream.mask({
      bytes,
      bounds: Int32Array.from(bounds, (at) => at - from),
      isOpen,
      spareBuffer: this.spareBuffer(),
    });
    this.begun.push(messages);
    this.pendingBatches++;
    this.bounds = [];
    return this.isFull() ? this.until(() => !this.isFull()) : undefined;
  }

  async finish(): Promise<readonly string[]> {
    this.stream.finish();
    await this.until(() => this.truncated !== undefined);
    return this.truncated ?? [];
  }

  close(): void {
    this.stream.drop();
  }

  private isFull(): boolean {
    return this.pendingBatches >= MAX_PENDING_BATCHES;
  }

  /**
   * Waits until the condition is true.
   * @throws the failure of the stream, as soon as it fails
   */
  private async until(condition: () => boolean): Promise<void> {
    while (this.failed === undefined && !condition()) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    if (this.failed !== undefined) throw this.failed.error;
  }

  private receive(reply: MaskingReply | MaskingFailure): void {
    if (reply.kind === 'masked') this.put(reply);
    else if (reply.kind === 'finished') this.truncated = reply.truncated;
    else this.fail(errorOf(reply));
    this.wake();
  }

  private put({ bytes, length, spareBuffer }: Extract<MaskingReply, { kind: 'masked' }>): void {
    this.keepForReuse(spareBuffer);
    const messages = this.begun.shift() ?? 0;
    const sent = () => {
      this.keepForReuse(bytes);
    };
    const full =
      this.failed === undefined ? this.write(bytes.subarray(0, length), messages, sent) : undefined;
    if (full === undefined) {
      this.pendingBatches--;
      return;
    }
    full.then(
      () => {
        this.pendingBatches--;
        this.wake();
      },
      (error: unknown) => {
        this.fail(error);
        this.wake();
      },
    );
  }

  private fail(error: unknown): void {
    this.failed ??= { error };
  }

  private spareBuffer(bytes = 0): SpareBuffer {
    const idle = this.idle.pop();
    return idle !== undefined && idle.length >= bytes ? idle : new Uint8Array(Math.max(bytes, BUFFER_BYTES));
  }

  private keepForReuse(spareBuffer: SpareBuffer): void {
    const { buffer } = spareBuffer;
    if (buffer.byteLength <= MAX_KEPT_BYTES) this.idle.push(new Uint8Array(buffer));
  }
}

/** Creates the error that masking in the current thread would throw. */
function errorOf({ failure, detail }: MaskingFailure): Error {
  const cause = new Error(detail);
  return failure === undefined ? cause : new SyncJobError(failure, { cause });
}
