import type { Piscina } from 'piscina';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';

import { ApiError } from '../../platform/http/errors/api-error.js';
import { asApiError } from '../../platform/http/errors/as-api-error.js';
import type { FlowControl } from './flow-control.js';
import { LookupServer, type TaskLookups } from './task-lookups.js';
import type { WorkerRequest, WorkerResult } from './worker.js';
import type { Chunk } from './write-records.js';

/** The time after a stop request within which a task must end. Afterwards, its worker is terminated. */
const GRACE_MS = 250;

/** Runs one task on one worker. The task must have a slot. */
export class TaskRun {
  private endedFor: ApiError | undefined;
  /**
   * The error of a failed lookup. The worker received the response "not found" instead, so the result of the
   * task is not valid.
   */
  private lookupFailure: ApiError | undefined;
  private readonly killed = new AbortController();
  private killTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: Piscina<WorkerRequest, WorkerResult>,
    private readonly flow: FlowControl,
    private readonly lookups?: TaskLookups,
  ) {}

  /**
   * Runs the task and returns its result.
   * @param receive is called for each chunk before this method resolves, and never afterwards
   * @throws the error that was passed to `end`; ApiError `limit_exceeded` if the worker ran out of memory
   */
  async result(
    task: Pick<WorkerRequest, 'kind' | 'input'>,
    receive: (chunk: Chunk) => void,
  ): Promise<WorkerResult> {
    const { port1: chunks, port2: workerEnd } = new MessageChannel();
    chunks.on('message', receive);
    const lookups =
      this.lookups && new LookupServer(this.lookups, (error) => this.recordLookupFailure(error));
    try {
      const request: WorkerRequest = {
        ...task,
        flow: this.flow.memory,
        chunks: workerEnd,
        ...(lookups ? { lookups: lookups.line } : {}),
      };
      const transferList = lookups ? [workerEnd, lookups.line.port] : [workerEnd];
      const result = await this.pool.run(request, { transferList, signal: this.killed.signal });
      // The result uses another channel and may arrive before the last chunks are received. All of these are
      // in the port now.
      for (let next = receiveMessageOnPort(chunks); next; next = receiveMessageOnPort(chunks)) {
        receive(next.message as Chunk);
      }
      if (result.kind === 'stopped' && this.endedFor) throw this.endedFor;
      if (this.lookupFailure) throw this.lookupFailure;
      return result;
    } catch (error) {
      throw this.endedFor ?? (isOutOfMemory(error) ? outOfMemory(error) : error);
    } finally {
      chunks.close();
      lookups?.close();
      clearTimeout(this.killTimer);
    }
  }

  /**
   * Asks the task to end before its next record. Terminates the worker if the task does not end in time.
   * Further calls do not change the reason.
   */
  end(reason: ApiError): void {
    if (this.endedFor) return;
    this.endedFor = reason;
    this.flow.stop();
    this.killTimer = setTimeout(() => this.killed.abort(), GRACE_MS);
  }

  private recordLookupFailure(error: unknown): void {
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
  const message = 'The request needs more memory than one request may use. Request smaller records.';
  return new ApiError('limit_exceeded', message, { cause });
}
