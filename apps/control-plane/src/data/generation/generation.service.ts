import { Injectable, Logger } from '@nestjs/common';
import { ENGINE_VERSION } from '@understudy/generator';
import type { Readable } from 'node:stream';
import { parseInstant, startOfUtcDay } from '@understudy/sync-job';

import { ComputePool } from '../compute/compute-pool.js';
import { SHORT_COUNT } from '../compute/slot-queue.js';
import type { AcceptedSyncJob } from '../compute/jobs/accept-sync-job.js';
import type { RecordsInput } from '../compute/write-records.js';
import { OrganizationLibrary } from '../generators/organization-library.js';
import { asApiError } from '../../platform/http/errors/as-api-error.js';
import { MAX_BODY_BYTES } from '../../platform/http/pipeline/json-body.js';
import { responseFrame } from './response-frame.js';
import { warningDetails } from './warning-details.js';
import { CONTENT_TYPE_OF, type ResponseFormat } from './response-format.js';
import { randomSeed } from './random-seed.js';
import type { GenerateDto } from './generate.dto.js';
import { RecordStream } from './record-stream.js';

export interface GenerationRequest {
  readonly organizationId: string;
  readonly requestId: string;
  readonly body: GenerateDto;
  readonly format: ResponseFormat;
  /** Whether the caller asked for marked errors. */
  readonly marksErrors: boolean;
  /** Aborted when the client closes the connection. */
  readonly gone: AbortSignal;
}

export interface GenerationResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** The body, which is generated while it is read. Destroying the stream ends the generation. */
  readonly body: Readable;
}

/** Generates records of a schema. The same request with the same seed and `now` gives the same records. */
@Injectable()
export class GenerationService {
  private readonly logger = new Logger('generation');

  constructor(
    private readonly compute: ComputePool,
    private readonly library: OrganizationLibrary,
  ) {}

  /**
   * Generates records as a stream. Resolves when the first MiB or the whole response is generated.
   * @throws ApiError `validation_error`, `generation_failed` or `limit_exceeded`, with paths below `schema`;
   *   `unavailable` if all workers are busy
   */
  async generate(request: GenerationRequest): Promise<GenerationResponse> {
    const { body, format, requestId, marksErrors, gone } = request;
    const startedAt = performance.now();
    const now = parseInstant(body.now) ?? startOfUtcDay(new Date());
    const seed = body.seed ?? randomSeed();
    const { schema, count } = body;
    const meta = () => ({
      generation_time_ms: Math.round(performance.now() - startedAt),
      engine_version: ENGINE_VERSION,
      now: now.toISOString(),
      warnings: stream.warnings,
    });
    const frame = responseFrame(format, { requestId, marksErrors, count, seed, meta });
    const stream = new RecordStream(frame);
    if (gone.aborted) stream.destroy();
    gone.addEventListener('abort', () => stream.destroy());
    void this.fill(stream, request, { schema, count, seed, nowMs: now.getTime(), format });
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
        ...frame.headers,
      },
      body: stream,
    };
  }

  /**
   * Reads the request for a sync job, and checks its rules and conditions in the same way as an agent.
   * @throws ApiError with all problems; `bad_request`, or the same codes as `generate`
   */
  acceptSyncJob(
    organizationId: string,
    body: Uint8Array<SharedArrayBuffer>,
    now: Date,
  ): Promise<AcceptedSyncJob> {
    const lookups = this.library.of(organizationId);
    const long = body.length > MAX_BODY_BYTES;
    return this.compute.run('accept-sync-job', { body, now }, { organizationId, long, lookups });
  }

  private async fill(
    stream: RecordStream,
    { organizationId, requestId, body }: GenerationRequest,
    input: RecordsInput,
  ): Promise<void> {
    try {
      await this.compute.run('generate', input, {
        organizationId,
        long: body.count > SHORT_COUNT,
        signal: stream.abandoned,
        receiver: stream,
        lookups: this.library.of(organizationId),
      });
      stream.finish();
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
