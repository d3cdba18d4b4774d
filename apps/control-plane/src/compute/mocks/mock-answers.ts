import { ByteSink } from '@understudy/bytes';

import { RecentlyUsed } from '../recently-used.js';
import type { Refusal } from '../refusal.js';
import type { TaskLibrary } from '../worker-library.js';
import { CompiledMock } from './compiled-mock.js';
import type { MockCall, MockDefinition } from './mock-definition.js';

/** Several answers of one endpoint. Plain data. */
export interface MockAnswers {
  /** The bodies, one after the other. */
  readonly bytes: Uint8Array;
  /** In the order of the calls; fewer than there were calls when the time was over. */
  readonly answers: readonly (MockBodyEnd | { readonly refusal: Refusal })[];
  /** What making them took, compiling left out. */
  readonly ms: number;
}

export interface MockBodyEnd {
  /** Where in `bytes` the body ends; it begins where the one before it ended. */
  readonly end: number;
}

export interface MockAnswersInput {
  readonly endpointId: string;
  /** Of a MockDefinition. A text: it is read by a thread that does not have the endpoint compiled. */
  readonly definitionJson: string;
  readonly nowMs: number;
  readonly calls: readonly MockCall[];
  /** No further answer is begun after this long; the first one is in any case. */
  readonly withinMs: number;
}

/** Estimated: nothing tells how large a compiled schema is. */
const KEPT_BYTES = 64 * 1024 * 1024;
const BYTES_OF_ONE = 32 * 1024;
const BYTES_PER_CHARACTER = 16;

/** The endpoints that one thread keeps compiled. Endpoints never change, so an id and an instant say which it is. */
export class MockAnswerMaker {
  private readonly compiled = new RecentlyUsed<CompiledMock>(KEPT_BYTES);
  private readonly sink = new ByteSink(64 * 1024);

  /**
   * @param library made where the endpoint has to be compiled
   * @throws DefinitionError
   */
  make(task: MockAnswersInput, library: () => TaskLibrary, isStopped: () => boolean): MockAnswers {
    const mock = this.find(task, library);
    const { sink } = this;
    const answers: (MockBodyEnd | { refusal: Refusal })[] = [];
    const startedAt = performance.now();
    for (const call of task.calls) {
      const start = sink.length;
      const refusal = mock.write(call, sink, isStopped);
      if (refusal) sink.length = start;
      answers.push(refusal ? { refusal } : { end: sink.length });
      if (isStopped() || performance.now() - startedAt >= task.withinMs) break;
    }
    return { bytes: sink.take(), answers, ms: performance.now() - startedAt };
  }

  private find(task: MockAnswersInput, library: () => TaskLibrary): CompiledMock {
    const { endpointId, nowMs, definitionJson } = task;
    const key = `${endpointId} ${nowMs}`;
    const known = this.compiled.get(key);
    if (known) return known;
    const { sources, usedModels, close } = library();
    const compiled = new CompiledMock(JSON.parse(definitionJson) as MockDefinition, sources, nowMs);
    close();
    const models = usedModels.reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.compiled.set(key, compiled, BYTES_OF_ONE + BYTES_PER_CHARACTER * definitionJson.length + models);
    return compiled;
  }
}
