import type { Piscina } from 'piscina';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';

import { ApiError } from '../../http/errors/api-error.js';
import { asApiError } from '../../http/errors/as-api-error.js';
import type { FlowControl } from './flow-control.js';
import { TaskAnswers, type TaskLookups } from './task-questions.js';
import type { Chunk, ThreadRequest, ThreadResult, ThreadTask } from './thread-task.js';

/** What a thread has to end between two records, before it is taken from under a record that does not end. */
const GRACE_MS = 250;

/** One task on one thread, once it has its turn. */
export class TaskRun {
  private endedFor: ApiError | undefined;
  /** Why something could not be looked for. The thread was told that there is none, so its result means nothing. */
  private lookupFailure: ApiError | undefined;
  private readonly killed = new AbortController();
  private killTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: Piscina<ThreadRequest, ThreadResult>,
    private readonly flow: FlowControl,
    private readonly lookups?: TaskLookups,
  ) {}

  /**
   * @param onChunk called for all chunks before this resolves, and not afterwards
   * @throws what `end` was given; ApiError `limit_exceeded` when the thread ran out of memory
   */
  async result(task: ThreadTask, onChunk: (chunk: Chunk) => void): Promise<ThreadResult> {
    const { port1: chunks, port2: threadEnd } = new MessageChannel();
    chunks.on('message', onChunk);
    const answers = this.lookups && new TaskAnswers(this.lookups, (error) => this.noteLookupFailure(error));
    try {
      const request: ThreadRequest = {
        task,
        flow: this.flow.memory,
        chunks: threadEnd,
        ...(answers ? { questions: answers.line } : {}),
      };
      const transferList = answers ? [threadEnd, answers.line.port] : [threadEnd];
      const options = { transferList, signal: this.killed.signal };
      const result = await this.pool.run(request, options);
      // The result comes another way and may overtake chunks, which are all in the port by now.
      for (let next = receiveMessageOnPort(chunks); next; next = receiveMessageOnPort(chunks)) {
        onChunk(next.message as Chunk);
      }
      if (result.kind === 'stopped' && this.endedFor) throw this.endedFor;
      if (this.lookupFailure) throw this.lookupFailure;
      return result;
    } catch (error) {
      throw this.endedFor ?? (isOutOfMemory(error) ? outOfMemory(error) : error);
    } finally {
      chunks.close();
      answers?.close();
      clearTimeout(this.killTimer);
    }
  }

  /** Ends the work, at the next record or by ending the thread. Of several reasons the first counts. */
  end(reason: ApiError): void {
    if (this.endedFor) return;
    this.endedFor = reason;
    this.flow.stop();
    this.killTimer = setTimeout(() => this.killed.abort(), GRACE_MS);
  }

  private noteLookupFailure(error: unknown): void {
    this.lookupFailure ??= asApiError(error);
    this.flow.stop();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY'
  );
}

function outOfMemory(cause: unknown): ApiError {
  const message = 'This takes more memory than one request may use. Ask for smaller records.';
  return new ApiError('limit_exceeded', message, { cause });
}
