import { Injectable } from '@nestjs/common';
import { parseExactJson } from '@understudy/expression';

import { ComputePool } from '../../compute/compute-pool.js';
import type { MockResponses } from '../../compute/mocks/mock-responses.js';
import type { MockCall, MockDefinition } from '../../compute/mocks/mock-definition.js';
import { SHORT_COUNT } from '../../compute/slot-queue.js';
import type { TaskLookups } from '../../compute/task-lookups.js';
import type { MockSources, TaskOutput } from '../../compute/tasks.js';
import { OrganizationLibrary } from '../../generators/organization-library.js';
import { ApiError, type FieldProblem } from '../../../platform/http/errors/api-error.js';
import type { MockEndpointEntity } from '../mock-endpoint.entity.js';
import type { MockResponse } from '../mock-response.js';
import { BATCH_MS, toResponses, type GeneratedResponse } from './response-buffer.js';
import type { ServedEndpoint } from './served-endpoint.js';

export type CheckedMock = TaskOutput<'check-mock'>;

type StoredMock = Pick<
  MockEndpointEntity,
  'organizationId' | 'schemaJson' | 'responseJson' | 'modelsJson' | 'compositionsJson'
>;

type GeneratedEndpoint = Pick<
  ServedEndpoint,
  'id' | 'organizationId' | 'definitionJson' | 'sources' | 'response'
>;

/** Checks the definitions of mock endpoints and generates their responses in worker threads. */
@Injectable()
export class ResponseGenerator {
  constructor(
    private readonly compute: ComputePool,
    private readonly library: OrganizationLibrary,
  ) {}

  /**
   * @param count the number of records that a call requests by default
   * @throws ApiError with all problems, with paths below `schema` and `response.wrapper`
   */
  check(organizationId: string, definition: MockDefinition, count: number): Promise<CheckedMock> {
    const lookups = this.library.of(organizationId);
    return this.compute.run(
      'check-mock',
      { definition, count, nowMs: Date.now(), isStored: false },
      { organizationId, lookups },
    );
  }

  /**
   * Returns the warnings of a stored endpoint. If this version refuses its definition, the problems are the warnings.
   * @throws ApiError `unavailable` if no thread becomes free in time
   */
  async warningsOf(row: StoredMock): Promise<readonly FieldProblem[]> {
    const response = parseExactJson(row.responseJson) as MockResponse;
    const definition = { schema: parseExactJson(row.schemaJson), wrapper: response.wrapper };
    const lookups = this.lookupsOf(row.organizationId, {
      models: JSON.parse(row.modelsJson) as MockSources['models'],
      compositions: JSON.parse(row.compositionsJson) as MockSources['compositions'],
    });
    try {
      const { warnings } = await this.compute.run(
        'check-mock',
        { definition, count: response.count, nowMs: Date.now(), isStored: true },
        { organizationId: row.organizationId, ...(lookups ? { lookups } : {}) },
      );
      return warnings;
    } catch (error) {
      if (error instanceof ApiError && error.status === 422) return error.details ?? [];
      throw error;
    }
  }

  /**
   * Generates responses for calls without options.
   * @throws ApiError as `generateOne` does
   */
  generateBatch(
    endpoint: GeneratedEndpoint,
    seeds: readonly number[],
    nowMs: number,
  ): Promise<MockResponses> {
    const { count } = endpoint.response;
    const calls = seeds.map((seed) => ({ seed, count, params: {} }));
    return this.generate(endpoint, calls, nowMs, BATCH_MS);
  }

  /**
   * Generates the response of one call. If the schema fails, the result contains the problem.
   * @param gone aborted if the client disconnects
   * @throws ApiError `unavailable` if no thread becomes free in time, `limit_exceeded` if the time or the
   * memory of a request is used up
   */
  async generateOne(
    endpoint: ServedEndpoint,
    call: MockCall,
    nowMs: number,
    gone: AbortSignal,
  ): Promise<GeneratedResponse> {
    const generated = await this.generate(endpoint, [call], nowMs, 0, gone);
    if (call.count === endpoint.response.count) endpoint.buffer.adapt(generated);
    const [response] = toResponses([call.seed], generated);
    if (!response) throw new Error('expected a response from the worker thread, got none');
    return response;
  }

  private generate(
    { id, organizationId, definitionJson, sources }: GeneratedEndpoint,
    calls: readonly MockCall[],
    nowMs: number,
    withinMs: number,
    signal?: AbortSignal,
  ): Promise<MockResponses> {
    const lookups = this.lookupsOf(organizationId, sources);
    return this.compute.run(
      'make-mock-responses',
      { endpointId: id, definitionJson, calls, nowMs, withinMs },
      {
        organizationId,
        long: calls.some(({ count }) => count > SHORT_COUNT),
        ...(signal ? { signal } : {}),
        ...(lookups ? { lookups } : {}),
      },
    );
  }

  /**
   * Returns functions through which a thread reads the models and compositions of an endpoint. The models
   * come from the organisation's library, which keeps them while an endpoint uses them.
   */
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
