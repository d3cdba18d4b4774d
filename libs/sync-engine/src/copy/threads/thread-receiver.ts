import type { RowReceiver, WritePiece } from '../row-receiver.js';
import { SyncJobError } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import type { MaskingFailure, MaskingReply } from './masking-messages.js';
import type { MaskingThreads, ThreadStream } from './masking-threads.js';

/** Batches of one chunk that are on their way through a thread, or wait for the target: a socket read each. */
const MOST_ON_THE_WAY = 4;
const ROOM_BYTES = 1 << 17;
/** A buffer that a large value has made so large is not kept. */
const LARGE_BYTES = 1 << 20;

type Room = Uint8Array<ArrayBuffer>;

/** Has a thread mask what one read has given, and writes what comes back, in the same order. */
export class ThreadReceiver implements RowReceiver {
  private readonly stream: ThreadStream;
  /** What is being read: as it lies there, until it is flushed. */
  private source: Uint8Array = new Uint8Array(0);
  private bounds: number[] = [];
  private isOpen = false;
  private readonly idle: Room[] = [];
  /** Of each batch that is at the thread: how many messages had begun. */
  private readonly begun: number[] = [];
  private onTheWay = 0;
  private failed: { readonly error: unknown } | undefined;
  private truncated: readonly string[] | undefined;
  /** Whoever waits for something to change. */
  private wake: () => void = () => undefined;

  constructor(
    threads: MaskingThreads,
    plan: TablePlan,
    isText: boolean,
    private readonly write: WritePiece,
  ) {
    this.stream = threads.open(plan, isText, (reply) => {
      this.hear(reply);
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
    const bytes = this.room(to - from).subarray(0, to - from);
    bytes.set(this.source.subarray(from, to));
    this.stream.mask({
      bytes,
      bounds: Int32Array.from(bounds, (at) => at - from),
      isOpen,
      room: this.room(),
    });
    this.begun.push(messages);
    this.onTheWay++;
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
    return this.onTheWay >= MOST_ON_THE_WAY;
  }

  /** @throws what has failed meanwhile */
  private async until(isSo: () => boolean): Promise<void> {
    while (this.failed === undefined && !isSo()) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    if (this.failed !== undefined) throw this.failed.error;
  }

  private hear(reply: MaskingReply | MaskingFailure): void {
    if (reply.kind === 'masked') this.put(reply);
    else if (reply.kind === 'finished') this.truncated = reply.truncated;
    else this.fail(errorOf(reply));
    this.wake();
  }

  private put({ bytes, length, room }: Extract<MaskingReply, { kind: 'masked' }>): void {
    this.keep(room);
    const messages = this.begun.shift() ?? 0;
    const sent = () => {
      this.keep(bytes);
    };
    const full =
      this.failed === undefined ? this.write(bytes.subarray(0, length), messages, sent) : undefined;
    if (full === undefined) {
      this.onTheWay--;
      return;
    }
    full.then(
      () => {
        this.onTheWay--;
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

  private room(bytes = 0): Room {
    const idle = this.idle.pop();
    return idle !== undefined && idle.length >= bytes ? idle : new Uint8Array(Math.max(bytes, ROOM_BYTES));
  }

  private keep(room: Room): void {
    const { buffer } = room;
    if (buffer.byteLength <= LARGE_BYTES) this.idle.push(new Uint8Array(buffer));
  }
}

/** As it would have been thrown here. */
function errorOf({ failure, detail }: MaskingFailure): Error {
  const cause = new Error(detail);
  return failure === undefined ? cause : new SyncJobError(failure, { cause });
}
