import { Injectable } from '@nestjs/common';

import { ComputePool } from '../../compute/compute-pool.js';
import type { MockAnswers } from '../../compute/mocks/mock-answers.js';
import type { MockCall, MockDefinition } from '../../compute/mocks/mock-definition.js';
import { SHORT_COUNT } from '../../compute/slot-queue.js';
import type { TaskLookups } from '../../compute/task-lookups.js';
import type { MockSources, TaskOutput } from '../../compute/tasks.js';
import { OrganizationLibrary } from '../../generators/organization-library.js';
import { BATCH_MS, toAnswers, type MadeAnswer } from './answer-stock.js';
import type { ServedEndpoint } from './served-endpoint.js';

export type CheckedMock = TaskOutput<'check-mock'>;

type Made = Pick<ServedEndpoint, 'id' | 'organizationId' | 'definitionJson' | 'sources' | 'response'>;

/** Checks definitions of mock endpoints and makes their answers, in worker threads. */
@Injectable()
export class AnswerMaker {
  constructor(
    private readonly compute: ComputePool,
    private readonly library: OrganizationLibrary,
  ) {}

  /**
   * @param count the number of records that a call asks for by default
   * @throws ApiError with all problems, with paths below `schema` and `response.wrapper`
   */
  check(organizationId: string, definition: MockDefinition, count: number): Promise<CheckedMock> {
    const lookups = this.library.of(organizationId);
    return this.compute.run(
      'check-mock',
      { definition, count, nowMs: Date.now() },
      { organizationId, lookups },
    );
  }

  /** Makes answers to calls that leave everything to the endpoint. @throws ApiError as `makeOne` does */
  makeBatch(endpoint: Made, seeds: readonly number[], nowMs: number): Promise<MockAnswers> {
    const { count } = endpoint.response;
    const calls = seeds.map((seed) => ({ seed, count, params: {} }));
    return this.make(endpoint, calls, nowMs, BATCH_MS);
  }

  /**
   * @param gone aborted when the client does not wait any more
   * @throws ApiError `unavailable` if too much else is being generated, `limit_exceeded` if the time or the memory of a
   *   request is used up. A problem of a single answer is part of the result
   */
  async makeOne(
    endpoint: ServedEndpoint,
    call: MockCall,
    nowMs: number,
    gone: AbortSignal,
  ): Promise<MadeAnswer> {
    const made = await this.make(endpoint, [call], nowMs, 0, gone);
    if (call.count === endpoint.response.count) endpoint.stock.learn(made);
    const [answer] = toAnswers([call.seed], made);
    if (!answer) throw new Error('a thread made no answer');
    return answer;
  }

  private make(
    { id, organizationId, definitionJson, sources }: Made,
    calls: readonly MockCall[],
    nowMs: number,
    withinMs: number,
    signal?: AbortSignal,
  ): Promise<MockAnswers> {
    const lookups = this.lookupsOf(organizationId, sources);
    return this.compute.run(
      'make-mock-answers',
      { endpointId: id, definitionJson, calls, nowMs, withinMs },
      {
        organizationId,
        long: calls.some(({ count }) => count > SHORT_COUNT),
        ...(signal ? { signal } : {}),
        ...(lookups ? { lookups } : {}),
      },
    );
  }

  /** The models are those of the organisation, which keeps the ones that an endpoint uses. */
  private lookupsOf(organizationId: string, { models, compositions }: MockSources): TaskLookups | undefined {
    if (models.length === 0 && compositions.length === 0) return undefined;
    const { model } = this.library.of(organizationId);
    return {
      model,
      composition: (name) => Promise.resolve(compositions.find(({ use }) => use === name)),
      compositionNames: () => Promise.resolve(compositions.map(({ use }) => use)),
    };
  }
}
