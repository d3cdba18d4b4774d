import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TablePlan } from '../../plan/table-plan.js';
import type {
  MaskingFailure,
  MaskingJob,
  MaskingRequest,
  MaskingReply,
  RowBatch,
} from './masking-messages.js';

/** Masks the rows of one chunk in a thread. */
export interface ThreadStream {
  /** Sends a batch to the thread and transfers its buffers. Replies arrive in the order of the batches. */
  mask(batch: RowBatch): void;
  /** Ends the stream. The last reply lists the columns in which a value was cut. */
  finish(): void;
  /** Cancels the stream. No reply arrives afterwards. */
  drop(): void;
}

type OnReply = (reply: MaskingReply | MaskingFailure) => void;

/** The masking threads of one copy. A thread starts when a stream needs it. */
export class MaskingThreads {
  private readonly threads: MaskingThread[] = [];
  private streams = 0;
  private closed: Promise<void> | undefined;

  /** @param count the maximum number of threads, at least one */
  constructor(
    private readonly job: MaskingJob,
    private readonly count: number,
  ) {}

  /**
   * Opens a stream for the rows of one chunk in the least busy thread.
   * @param plan a plan whose rules depend neither on other rows nor on unique or foreign keys
   * @param isText true if all written columns are of type text
   * @param onReply called with each reply, and with a failure if the thread ends
   */
  open(plan: TablePlan, isText: boolean, onReply: OnReply): ThreadStream {
    if (this.closed !== undefined) throw new Error('the masking threads are closed');
    return this.leastBusy().open(++this.streams, plan, isText, onReply);
  }

  /** Ends the threads immediately. Open streams get a failure as reply. Never rejects. */
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

/**
 * The path of the compiled entry file. A thread needs this file even if the process runs from the TypeScript
 * sources.
 */
const ENTRY = join(import.meta.dirname, '../../../dist/copy/threads/masking-thread-entry.js');

class MaskingThread {
  readonly streams = new Map<number, OnReply>();
  private readonly worker: Worker;

  constructor(job: MaskingJob) {
    this.worker = new Worker(ENTRY, { workerData: job, execArgv: [] });
    this.worker.on('message', (reply: MaskingReply) => this.streams.get(reply.stream)?.(reply));
    this.worker.on('error', (error) => this.fail(error.message));
    this.worker.on('exit', () => this.fail('a masking thread has ended unexpectedly'));
  }

  open(stream: number, plan: TablePlan, isText: boolean, onReply: OnReply): ThreadStream {
    this.streams.set(stream, onReply);
    // The row filter of the plan cannot be cloned into a message, and the thread does not need it.
    const { index, name, source, target, columns, columnIndex } = plan;
    const rules = { index, name, source, target, columns, columnIndex };
    this.post({ kind: 'begin', stream, plan: rules, isText });
    return {
      mask: (batch) => {
        const buffers = [batch.bytes.buffer, batch.bounds.buffer, batch.spareBuffer.buffer];
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
    this.fail('the masking threads were closed');
  }

  private post(request: MaskingRequest, buffers: ArrayBuffer[] = []): void {
    this.worker.postMessage(request, buffers);
  }

  private fail(detail: string): void {
    for (const onReply of this.streams.values()) onReply({ kind: 'failed', detail });
  }
}

/**
 * The largest default number of threads. One thread masks rows about as fast as two pairs of connections copy
 * them.
 */
const MAX_THREADS = 4;

/**
 * Returns the default number of masking threads of a job. Two cores are left for the agent's main thread,
 * which copies the rows, and for a server on the same machine. On a machine with two cores, a masking thread
 * made the copy slower (docs/performance.md). Pure.
 * @param cores the number of the machine's cores
 */
export function defaultMaskingThreads(cores: number): number {
  return Math.min(MAX_THREADS, Math.max(0, cores - 2));
}
