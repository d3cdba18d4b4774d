import { builtinLibrary } from '@understudy/builtin-models/node';
import type { MessagePort } from 'node:worker_threads';

import { FlowControl, TaskStopped } from './flow-control.js';
import { refusalOf, type Refusal } from './refusal.js';
import type { LookupLine } from './task-lookups.js';
import { TASKS, type TaskContext, type TaskKind } from './tasks.js';
import { WorkerLibrary } from './worker-library.js';

export interface WorkerRequest {
  readonly kind: TaskKind;
  readonly input: unknown;
  /** The shared memory of a FlowControl. */
  readonly flow: SharedArrayBuffer;
  /** Receives all chunks in order. The worker sends them before the result. */
  readonly chunks: MessagePort;
  /** Absent if the task may use only built-in models and generators. */
  readonly lookups?: LookupLine;
}

export type WorkerResult =
  | { readonly kind: 'done'; readonly output: unknown }
  /** The records before the failed one may already have been sent in chunks. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'stopped' };

const library = new WorkerLibrary(builtinLibrary());

/**
 * The entry point of a worker thread. It runs one request at a time, and most tasks do not return to the event loop
 * before they end.
 */
export default async function runTask(request: WorkerRequest): Promise<WorkerResult> {
  const { kind, input, flow, chunks, lookups } = request;
  const task = TASKS[kind] as (input: unknown, context: TaskContext) => unknown;
  try {
    const output = await task(input, {
      library: (registering) => library.forTask(lookups, registering),
      flow: new FlowControl(flow),
      send: (chunk) => chunks.postMessage(chunk, [chunk.bytes.buffer as ArrayBuffer]),
    });
    return { kind: 'done', output };
  } catch (error) {
    if (error instanceof TaskStopped) return { kind: 'stopped' };
    const refusal = refusalOf(error, kind === 'check-composition' ? '' : 'schema');
    if (!refusal) throw error;
    return { kind: 'refused', refusal };
  } finally {
    chunks.close();
  }
}
