import { ENGINE_VERSION } from '@understudy/generator';
import { Type } from 'typebox';

import { operations } from '../../platform/http/operations/operation.js';
import { instant, WARNINGS } from '../../platform/http/operations/schemas.js';
import { GenerateDto, MAX_COUNT } from './generate.dto.js';

const text = (description: string, example: string) => ({
  schema: { type: 'string', description },
  example,
});

export const GENERATION = operations('Generation', {
  generate: {
    method: 'POST',
    path: '/v1/generate',
    client: 'generate',
    summary: 'generates records from a schema',
    description:
      'The response is streamed. The server holds back the first MiB, so an error within it still gives an error response. After a later error, CSV and JSON responses are cut off, and the last line of an NDJSON response is `{"error": …}`. With the request header `X-Generation-Errors: marked`, that line begins with the character U+001E, which no record contains. CSV and NDJSON have no envelope; headers contain their metadata.',
    role: 'viewer',
    scope: 'generate',
    calls: 'free',
    effect: 'none',
    body: GenerateDto,
    example: {
      body: {
        schema: {
          generators: {
            id: { type: 'svc', algorithm: 'uuid_v4' },
            age: { type: 'svc', algorithm: 'int_between', params: { min: 18, max: 90 } },
          },
          output: ['id', 'age'],
        },
        count: 1,
        seed: 42,
        format: 'json',
      },
    },
    response: {
      description: 'The records.',
      data: Type.Object({
        records: Type.Array(
          Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
          {
            description: 'The records. Their keys are the names in `output`.',
          },
        ),
        count: Type.Integer({ minimum: 1, maximum: MAX_COUNT }),
        seed: Type.Integer({ description: 'The seed from the request, or the one that the server chose.' }),
      }),
      example: {
        records: [{ id: '6f1f1b5c-9a0e-4d4b-8a7e-2b9f0f7a3c11', age: 54 }],
        count: 1,
        seed: 42,
      },
      meta: Type.Object({
        generation_time_ms: Type.Integer({ minimum: 0 }),
        engine_version: Type.String({
          description: 'Version of the engine. The same version, schema and seed give the same bytes.',
        }),
        now: instant('Time to which relative dates refer.'),
        warnings: WARNINGS,
      }),
      metaExample: {
        generation_time_ms: 3,
        engine_version: ENGINE_VERSION,
        now: '2026-11-21T00:00:00.000Z',
        warnings: [],
      },
      headers: {
        'X-Generation-Seed': { description: 'The seed.', schema: { type: 'integer' }, required: true },
        'X-Generation-Count': {
          description: 'Number of records.',
          schema: { type: 'integer' },
          required: true,
        },
        'X-Generation-Now': {
          description: 'Time to which relative dates refer.',
          schema: { type: 'string', format: 'date-time' },
          required: true,
        },
        'X-Generation-Warnings': {
          description: 'Number of warnings. A JSON response lists them in `meta`.',
          schema: { type: 'integer' },
          required: true,
        },
        'X-Generation-Warning-Details': {
          description:
            'Warnings of a CSV or NDJSON response as a JSON array of `{field, message}`. Contains the first warnings that fit into 4 KiB.',
          schema: { type: 'string' },
        },
        'X-Generation-Errors': {
          description: '`marked` if the line of an error begins with U+001E, as the request asked for.',
          schema: { type: 'string' },
        },
        'X-Generation-Engine-Version': {
          description: 'Version of the engine.',
          schema: { type: 'string' },
          required: true,
        },
      },
      alternatives: {
        'text/csv': text(
          'CSV as in RFC 4180 with a header line. Nested values are JSON.',
          'id,age\r\n6f1f1b5c,54\r\n',
        ),
        'application/x-ndjson': text('One JSON record on each line.', '{"id":"6f1f1b5c","age":54}\n'),
      },
    },
    refusals: ['not_acceptable', 'generation_failed'],
  },
});
