import { Injectable } from '@nestjs/common';

import type { MockAnswers } from '../../generation/mock-answers/mock-answers.js';
import type { MockCall } from '../../generation/mock-answers/mock-definition.js';
import { MockGeneration } from '../../generation/mock-answers/mock-generation.js';
import { BATCH_MS, toAnswers, type MadeAnswer } from './answer-stock.js';
import type { ServedEndpoint } from './served-endpoint.js';

type Made = Pick<ServedEndpoint, 'id' | 'organizationId' | 'definitionJson' | 'sources' | 'response'>;

/** Has answers of endpoints made in the threads. */
@Injectable()
export class AnswerMaker {
  constructor(private readonly generation: MockGeneration) {}

  /** Answers to calls that leave everything to the endpoint. */
  makeBatch(endpoint: Made, seeds: readonly number[], nowMs: number): Promise<MockAnswers> {
    const { count } = endpoint.response;
    const calls = seeds.map((seed) => ({ seed, count, params: {} }));
    return this.make(endpoint, calls, nowMs, BATCH_MS, new AbortController().signal);
  }

  /** @param gone aborted when the client does not wait any more. @throws ApiError as MockGeneration does */
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
    signal: AbortSignal,
  ): Promise<MockAnswers> {
    const request = { endpointId: id, organizationId, definitionJson, sources };
    return this.generation.make({ ...request, calls, nowMs, withinMs, signal });
  }
}
