import { Injectable, Logger } from '@nestjs/common';
import { ENGINE_VERSION } from '@understudy/generator';
import type { Readable } from 'node:stream';
import { parseInstant, startOfUtcDay } from '@understudy/sync-job';

import type { FieldProblem } from '../http/errors/api-error.js';
import { asApiError } from '../http/errors/as-api-error.js';
import type { CompositionFacts } from '../generators/stored-composition.js';
import { answerFrame } from './answer-frame.js';
import { warningDetails } from './warning-details.js';
import { CONTENT_TYPE_OF, type AnswerFormat } from './answer-format.js';
import { drawSeed } from './draw-seed.js';
import type { GenerateDto } from './generate.dto.js';
import { OrganizationLibrary } from './organization-library.js';
import { RecordStream } from './record-stream.js';
import { toApiError } from './refusal.js';
import { FlowControl } from './threads/flow-control.js';
import type { UsedComposition, UsedModel } from './thread-library.js';
import { GenerationThreads, type GenerationActivity } from './threads/generation-threads.js';
import type { CheckRulesTask, GenerateTask } from './threads/thread-task.js';
import { SHORT_COUNT } from './threads/turn-queue.js';

export interface GenerationRequest {
  readonly organizationId: string;
  readonly requestId: string;
  readonly body: GenerateDto;
  readonly format: AnswerFormat;
  /** Aborted when the client does not wait any more. */
  readonly gone: AbortSignal;
}

export interface GenerationAnswer {
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body, made while it is read. Destroying it ends the work. */
  readonly body: Readable;
}

export interface CheckedRules {
  /** What is wrong with them. */
  readonly problems: readonly FieldProblem[];
  /** What they ask for and do not get. */
  readonly warnings: readonly FieldProblem[];
  /** Custom models that they draw from; an agent has to be given their files. */
  readonly models: readonly UsedModel[];
  /** Registered compositions that they use; an agent has to be given them. */
  readonly compositions: readonly UsedComposition[];
  /** Of each condition, the columns that it names. */
  readonly conditionColumns: readonly (readonly string[])[];
}

/** Records of a schema: the same request with the same seed and instant is the same answer. */
@Injectable()
export class GenerationService {
  private readonly logger = new Logger('generation');

  constructor(
    private readonly threads: GenerationThreads,
    private readonly library: OrganizationLibrary,
  ) {}

  /**
   * Resolves when the answer's first MiB, or all of it, is there.
   * @throws ApiError `validation_error`, `generation_failed` or `limit_exceeded`, with paths below `schema`;
   *   `unavailable` when too much else is being generated
   */
  async generate(request: GenerationRequest): Promise<GenerationAnswer> {
    const { body, format, requestId, gone } = request;
    const startedAt = performance.now();
    const now = parseInstant(body.now) ?? startOfUtcDay(new Date());
    const seed = body.seed ?? drawSeed();
    const { schema, count } = body;
    const meta = () => ({
      generation_time_ms: Math.round(performance.now() - startedAt),
      engine_version: ENGINE_VERSION,
      now: now.toISOString(),
      warnings: stream.warnings,
    });
    const stream = new RecordStream(answerFrame(format, { requestId, count, seed, meta }));
    if (gone.aborted) stream.destroy();
    gone.addEventListener('abort', () => stream.destroy());
    void this.fill(stream, request, { kind: 'generate', schema, count, seed, nowMs: now.getTime(), format });
    await stream.begun();
    return {
      headers: {
        'content-type': CONTENT_TYPE_OF[format],
        'x-generation-seed': String(seed),
        'x-generation-count': String(count),
        'x-generation-now': now.toISOString(),
        'x-generation-engine-version': ENGINE_VERSION,
        'x-generation-warnings': String(stream.warnings.length),
        ...warningDetails(format, stream.warnings),
      },
      body: stream,
    };
  }

  /** Compiles column rules and reads conditions as an agent will. @throws ApiError as `generate` does */
  async checkJobRules(
    organizationId: string,
    rules: Pick<CheckRulesTask, 'tables' | 'conditions'>,
    nowMs: number,
  ): Promise<CheckedRules> {
    const result = await this.threads.run(
      { kind: 'check-rules', ...rules, nowMs },
      {
        organizationId,
        long: false,
        flow: new FlowControl(),
        signal: new AbortController().signal,
        onChunk: () => undefined,
        lookups: this.library.of(organizationId),
      },
    );
    if (result.kind !== 'checked') throw new Error(`a check of rules ended as ${result.kind}`);
    return result;
  }

  /** Compiles a composition as it is registered. @throws ApiError `validation_error`, and as `generate` does */
  async checkComposition(
    organizationId: string,
    composition: { readonly name: string },
  ): Promise<CompositionFacts> {
    const task = { kind: 'check-composition', composition, nowMs: Date.now() } as const;
    const result = await this.threads.run(task, {
      organizationId,
      long: false,
      flow: new FlowControl(),
      signal: new AbortController().signal,
      onChunk: () => undefined,
      lookups: this.library.of(organizationId),
    });
    if (result.kind === 'refused') throw toApiError(result.refusal);
    if (result.kind !== 'composition-checked')
      throw new Error(`a check of a composition ended as ${result.kind}`);
    return result.facts;
  }

  activity(): GenerationActivity {
    return this.threads.activity();
  }

  private async fill(
    stream: RecordStream,
    { organizationId, requestId, body }: GenerationRequest,
    task: GenerateTask,
  ): Promise<void> {
    try {
      const result = await this.threads.run(task, {
        organizationId,
        long: body.count > SHORT_COUNT,
        flow: stream.flow,
        signal: stream.abandoned,
        onChunk: (chunk) => stream.receive(chunk),
        lookups: this.library.of(organizationId),
      });
      if (result.kind === 'refused') stream.fail(toApiError(result.refusal));
      else stream.finish();
    } catch (thrown) {
      const error = asApiError(thrown);
      if (error.status >= 500 && error.cause instanceof Error) {
        const { name, stack } = error.cause;
        this.logger.error({ request_id: requestId, err: { name, stack } });
      }
      stream.fail(error);
    }
  }
}
