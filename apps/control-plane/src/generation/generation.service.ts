import { Injectable } from '@nestjs/common';
import { compileSchema, ENGINE_VERSION } from '@understudy/generator';

import { ApiError } from '../http/api-error.js';
import { parseInstant, startOfUtcDay } from '../http/instant.js';
import { RawJson } from '../http/raw-json.js';
import { TimeSlice } from '../http/time-slice.js';
import { BuiltinModelRegistry } from './builtin-model-registry.js';
import { asGenerationRefusal } from './definition-problems.js';
import { drawSeed } from './draw-seed.js';
import type { GenerateDto } from './generate.dto.js';
import { writeJson } from './write-json.js';

export interface Generated {
  /** `{records, count, seed}` */
  readonly data: RawJson;
  readonly meta: {
    readonly generation_time_ms: number;
    readonly engine_version: string;
    readonly now: string;
  };
}

const WALL_BUDGET_MS = 60_000;
/** V8 holds no string of more than about 512 MiB. */
const MAX_ANSWER_CHARS = 256 * 1024 * 1024;

/** Records of a schema: the same request with the same seed and instant is the same answer. */
@Injectable()
export class GenerationService {
  constructor(private readonly models: BuiltinModelRegistry) {}

  /** @throws ApiError `validation_error`, `generation_failed` or `limit_exceeded`, with paths below `schema` */
  async generate(request: GenerateDto, isWanted: () => boolean): Promise<Generated> {
    const startedAt = performance.now();
    const now = parseInstant(request.now) ?? startOfUtcDay(new Date());
    const seed = request.seed ?? drawSeed();
    try {
      const plan = compileSchema(request.schema, {
        models: (id) => this.models.find(id),
        nowMs: now.getTime(),
      });
      const slice = new TimeSlice(WALL_BUDGET_MS, isWanted);
      const records = await writeRecords(plan.records(seed, 0, request.count), slice);
      return {
        data: new RawJson(`{"records":${records},"count":${request.count},"seed":${seed}}`),
        meta: {
          generation_time_ms: Math.round(performance.now() - startedAt),
          engine_version: ENGINE_VERSION,
          now: now.toISOString(),
        },
      };
    } catch (error) {
      throw asGenerationRefusal(error, 'schema');
    }
  }
}

/** Written record by record, so that no single step holds up other requests. */
async function writeRecords(records: Iterable<unknown>, slice: TimeSlice): Promise<string> {
  const pieces: string[] = [];
  let chars = 0;
  for (const record of records) {
    const text = writeJson(record);
    chars += text.length + 1;
    if (chars > MAX_ANSWER_CHARS) {
      throw new ApiError(
        'limit_exceeded',
        'The answer would be larger than 256 MiB. Ask for fewer records at a time.',
      );
    }
    pieces.push(text);
    await slice.pause();
  }
  return `[${pieces.join(',')}]`;
}
