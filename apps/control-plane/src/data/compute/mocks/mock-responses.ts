import { ByteSink } from '@understudy/bytes';
import { parseExactJson } from '@understudy/expression';

import { RecentlyUsed } from '../recently-used.js';
import type { Refusal } from '../refusal.js';
import type { TaskLibrary } from '../worker-library.js';
import { CompiledMock } from './compiled-mock.js';
import type { MockCall, MockDefinition } from './mock-definition.js';

/** Several responses of one endpoint. Plain data. */
export interface MockResponses {
  /** The concatenated bodies. */
  readonly bytes: Uint8Array;
  /** One entry for each call, in order. If the time ran out, the last calls have no entry. */
  readonly responses: readonly (MockBodyEnd | { readonly refusal: Refusal })[];
  /** Time to generate the responses, without the time to compile the endpoint. */
  readonly ms: number;
}

export interface MockBodyEnd {
  /** Offset in `bytes` at which the body ends. The body begins at the end of the previous one, or at 0. */
  readonly end: number;
}

export interface MockResponsesInput {
  readonly endpointId: string;
  /** A MockDefinition as JSON text, which a thread parses only if its cache does not contain the endpoint. */
  readonly definitionJson: string;
  readonly nowMs: number;
  readonly calls: readonly MockCall[];
  /** Time after which no further response is started. The first response is always generated. */
  readonly withinMs: number;
}

/**
 * The memory for compiled endpoints, and the factors that estimate the size of one endpoint. The size of a
 * compiled schema cannot be measured.
 */
const KEPT_BYTES = 64 * 1024 * 1024;
const BYTES_OF_ONE = 32 * 1024;
const BYTES_PER_CHARACTER = 16;

/**
 * Generates responses of mock endpoints in one thread, and caches the compiled endpoints. The cache key
 * consists of the endpoint's id and the reference instant. It omits the definition, because the definition of
 * an endpoint never changes.
 */
export class MockResponseMaker {
  private readonly compiled = new RecentlyUsed<CompiledMock>(KEPT_BYTES);
  private readonly sink = new ByteSink(64 * 1024);

  /**
   * Generates one response for each call until the time runs out.
   * @param library is called only if the endpoint must be compiled
   * @throws DefinitionError
   */
  make(task: MockResponsesInput, library: () => TaskLibrary, isStopped: () => boolean): MockResponses {
    const mock = this.find(task, library);
    const { sink } = this;
    const responses: (MockBodyEnd | { refusal: Refusal })[] = [];
    const startedAt = performance.now();
    for (const call of task.calls) {
      const start = sink.length;
      const refusal = mock.write(call, sink, isStopped);
      if (refusal) sink.length = start;
      responses.push(refusal ? { refusal } : { end: sink.length });
      if (isStopped() || performance.now() - startedAt >= task.withinMs) break;
    }
    return { bytes: sink.take(), responses, ms: performance.now() - startedAt };
  }

  private find(task: MockResponsesInput, library: () => TaskLibrary): CompiledMock {
    const { endpointId, nowMs, definitionJson } = task;
    const key = `${endpointId} ${nowMs}`;
    const known = this.compiled.get(key);
    if (known) return known;
    const { sources, usedModels, close } = library();
    const compiled = new CompiledMock(parseExactJson(definitionJson) as MockDefinition, sources, nowMs);
    close();
    const models = usedModels.reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.compiled.set(key, compiled, BYTES_OF_ONE + BYTES_PER_CHARACTER * definitionJson.length + models);
    return compiled;
  }
}
