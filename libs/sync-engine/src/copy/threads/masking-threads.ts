import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TablePlan } from '../../plan/table-plan.js';
import type { MaskingFailure, MaskingJob, MaskingOrder, MaskingReply, RowBatch } from './masking-messages.js';

/** Masks the rows of one chunk in a thread. */
export interface ThreadStream {
  /** Hands over the batch's buffers. Replies come in the order of the batches. */
  mask(batch: RowBatch): void;
  /** The last reply says which columns were cut. */
  finish(): void;
  /** Nothing more is wanted: no reply comes after it. */
  drop(): void;
}

type OnReply = (reply: MaskingReply | MaskingFailure) => void;

/** The threads of one copy: a job's rules on more than one core. Started when they are needed. */
export class MaskingThreads {
  private readonly threads: MaskingThread[] = [];
  private streams = 0;
  private closed: Promise<void> | undefined;

  /** @param count at most so many, at least one */
  constructor(
    private readonly job: MaskingJob,
    private readonly count: number,
  ) {}

  /**
   * @param plan its rules are nothing but what their text says: no other row and no key of the job has a say in them
   * @param isText all columns of what is written are of type text
   * @param onReply told of a thread that has ended, too
   */
  open(plan: TablePlan, isText: boolean, onReply: OnReply): ThreadStream {
    if (this.closed !== undefined) throw new Error('no row is masked any more');
    return this.leastBusy().open(++this.streams, plan, isText, onReply);
  }

  /** Ends the threads, whatever they are at; open streams fail. Never rejects. */
  close(): Promise<void> {
    this.closed ??= Promise.all(this.threads.map((thread) => thread.end())).then(() => undefined);
    return this.closed;
  }

  private leastBusy(): MaskingThread {
    const [first] = [...this.threads].sort((a, b) => a.streams.size - b.streams.size);
    if (first !== undefined && (first.streams.size === 0 || this.threads.length === this.count)) return first;
    const thread = new MaskingThread(this.job);
    this.threads.push(thread);
    return thread;
  }
}

/** The compiled file, for a process that runs the sources too. */
const ENTRY = join(import.meta.dirname, '../../../dist/copy/threads/masking-thread-entry.js');

class MaskingThread {
  readonly streams = new Map<number, OnReply>();
  private readonly worker: Worker;

  constructor(job: MaskingJob) {
    this.worker = new Worker(ENTRY, { workerData: job, execArgv: [] });
    this.worker.on('message', (reply: MaskingReply) => this.streams.get(reply.stream)?.(reply));
    this.worker.on('error', (error) => this.fail(error.message));
    this.worker.on('exit', () => this.fail('a thread that masks has ended'));
  }

  open(stream: number, plan: TablePlan, isText: boolean, onReply: OnReply): ThreadStream {
    this.streams.set(stream, onReply);
    // Which rows are copied is asked of the source, by a function: no message.
    const { index, name, source, target, columns, columnIndex } = plan;
    const rules = { index, name, source, target, columns, columnIndex };
    this.post({ kind: 'begin', stream, plan: rules, isText });
    return {
      mask: (batch) => {
        const buffers = [batch.bytes.buffer, batch.bounds.buffer, batch.room.buffer];
        this.post({ kind: 'mask', stream, ...batch }, buffers);
      },
      finish: () => this.post({ kind: 'finish', stream }),
      drop: () => {
        this.streams.delete(stream);
        this.post({ kind: 'drop', stream });
      },
    };
  }

  async end(): Promise<void> {
    await this.worker.terminate();
    this.fail('the threads that mask were ended');
  }

  private post(order: MaskingOrder, buffers: ArrayBuffer[] = []): void {
    this.worker.postMessage(order, buffers);
  }

  private fail(detail: string): void {
    for (const onReply of this.streams.values()) onReply({ kind: 'failed', detail });
  }
}

/** One thread masks about as fast as two pairs of connections move rows. */
const MOST = 4;

/**
 * Pure: how many threads of a job mask, unless somebody says otherwise. The agent's own thread has the moving to do, and a server that is on
 * the same machine its part: on two cores a thread more was slower (docs/performance.md).
 * @param cores of the machine
 */
export function defaultMaskingThreads(cores: number): number {
  return Math.min(MOST, Math.max(0, cores - 2));
}
