import type { Piscina } from 'piscina';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';

import { ApiError } from '../http/errors/api-error.js';
import { asApiError } from '../http/errors/as-api-error.js';
import type { FlowControl } from './flow-control.js';
import { LookupServer, type TaskLookups } from './task-lookups.js';
import type { WorkerRequest, WorkerResult } from './worker.js';
import type { Chunk } from './write-records.js';

/** A task gets this long to stop between two records, before its worker is ended in the middle of one. */
const GRACE_MS = 250;

/** One task on one worker, once it has its slot. */
export class TaskRun {
  private endedFor: ApiError | undefined;
  /** The reason why a lookup failed. The worker was told that nothing was found, so its result means nothing. */
  private lookupFailure: ApiError | undefined;
  private readonly killed = new AbortController();
  private killTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: Piscina<WorkerRequest, WorkerResult>,
    private readonly flow: FlowControl,
    private readonly lookups?: TaskLookups,
  ) {}

  /**
   * @param receive called for all chunks before this resolves, and not afterwards
   * @throws the error that was given to `end`; ApiError `limit_exceeded` if the worker ran out of memory
   */
  async result(
    task: Pick<WorkerRequest, 'kind' | 'input'>,
    receive: (chunk: Chunk) => void,
  ): Promise<WorkerResult> {
    const { port1: chunks, port2: workerEnd } = new MessageChannel();
    chunks.on('message', receive);
    const lookups = this.lookups && new LookupServer(this.lookups, (error) => this.noteLookupFailure(error));
    try {
      const request: WorkerRequest = {
        ...task,
        flow: this.flow.memory,
        chunks: workerEnd,
        ...(lookups ? { lookups: lookups.line } : {}),
      };
      const transferList = lookups ? [workerEnd, lookups.line.port] : [workerEnd];
      const result = await this.pool.run(request, { transferList, signal: this.killed.signal });
      // The result comes another way and may overtake chunks, which are all in the port by now.
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

  /** Ends the task at the next record, or by ending the worker. The first of several reasons counts. */
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
