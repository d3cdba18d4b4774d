import { Injectable } from '@nestjs/common';

import type { FieldProblem } from '../../http/errors/api-error.js';
import { OrganizationLibrary } from '../organization-library.js';
import { toApiError } from '../refusal.js';
import type { UsedComposition, UsedModel } from '../thread-library.js';
import { FlowControl } from '../threads/flow-control.js';
import { GenerationThreads } from '../threads/generation-threads.js';
import { SHORT_COUNT } from '../threads/turn-queue.js';
import type { TaskLookups } from '../threads/task-questions.js';
import type { MockAnswers, MockAnswersTask } from './mock-answers.js';
import type { MockDefinition } from './mock-definition.js';

/** What a definition uses of what its organisation has of its own. */
export interface MockSources {
  readonly models: readonly UsedModel[];
  /** Whole: an endpoint goes on meaning what it meant when it was made. */
  readonly compositions: readonly UsedComposition[];
}

export interface CheckedMock {
  readonly sources: MockSources;
  /** What the schema asks for and does not get, and what may go wrong in a call. */
  readonly warnings: readonly FieldProblem[];
}

export interface MockRequest extends Omit<MockAnswersTask, 'kind'> {
  readonly organizationId: string;
  readonly sources: MockSources;
  /** Aborted when nobody waits for the answers any more. */
  readonly signal: AbortSignal;
}

/** Answers of mock endpoints, made in the threads that run schemas. */
@Injectable()
export class MockGeneration {
  constructor(
    private readonly threads: GenerationThreads,
    private readonly library: OrganizationLibrary,
  ) {}

  /**
   * @param count of the records that a call asks for by default
   * @throws ApiError with everything that is wrong, with paths below `schema` and `response.wrapper`
   */
  async check(organizationId: string, definition: MockDefinition, count: number): Promise<CheckedMock> {
    const result = await this.threads.run(
      { kind: 'check-mock', definition, count, nowMs: Date.now() },
      {
        ...SHORT,
        organizationId,
        flow: new FlowControl(),
        signal: new AbortController().signal,
        lookups: this.library.of(organizationId),
      },
    );
    if (result.kind === 'refused') throw toApiError(result.refusal);
    if (result.kind !== 'mock-checked') throw new Error(`a check of a mock ended as ${result.kind}`);
    const { models, compositions, warnings } = result;
    return { sources: { models, compositions }, warnings };
  }

  /**
   * @throws ApiError `unavailable` when too much else is being generated, `limit_exceeded` when the time or memory of a
   *   request is used up. What goes wrong with a single answer stands among the answers
   */
  async make({ organizationId, sources, signal, ...task }: MockRequest): Promise<MockAnswers> {
    const lookups = this.lookupsOf(organizationId, sources);
    const long = task.calls.some(({ count }) => count > SHORT_COUNT);
    const result = await this.threads.run(
      { kind: 'make-mock-answers', ...task },
      { ...SHORT, long, organizationId, signal, flow: new FlowControl(), ...(lookups ? { lookups } : {}) },
    );
    if (result.kind === 'refused') throw toApiError(result.refusal);
    if (result.kind !== 'mock-answers-made') throw new Error(`answers of a mock ended as ${result.kind}`);
    return result.made;
  }

  /** Models are those of the organisation, which keeps the ones that an endpoint uses. */
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

const SHORT = { long: false, onChunk: (): void => undefined } as const;
