import { ByteSink } from '@understudy/bytes';
import type { RowReceiver, WritePiece } from '../chunks/row-receiver.js';
import { SyncJobError } from '../sync-job-error.js';
import type { TablePlan } from '../table-plan.js';
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
  private readonly batch = new ByteSink(0);
  private ends: number[] = [];
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
    this.batch.bytes = this.room();
  }

  take(bytes: Uint8Array, start: number, end: number, isLast: boolean): void {
    this.batch.write(bytes, start, end);
    this.ends.push(this.batch.length);
    this.isOpen = !isLast;
  }

  flush(messages: number): Promise<void> | undefined {
    const { batch, ends, isOpen } = this;
    if (this.failed !== undefined) return Promise.reject(this.failed.error);
    if (ends.length === 0) return undefined;
    const bytes = (batch.bytes as Room).subarray(0, batch.length);
    this.stream.mask({ bytes, ends: Int32Array.from(ends), isOpen, room: this.room() });
    this.begun.push(messages);
    this.onTheWay++;
    this.ends = [];
    batch.bytes = this.room();
    batch.length = 0;
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

  private room(): Room {
    return this.idle.pop() ?? new Uint8Array(ROOM_BYTES);
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
