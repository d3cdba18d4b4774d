import { Type } from 'typebox';

import { named, type ResponseOf } from '../../platform/http/operations/schemas.js';

/** The largest `count` that the definition of an endpoint may set. */
export const MAX_COUNT = 10_000;
/**
 * The largest `?count=`. It is smaller than `MAX_COUNT`, because callers need not be members of the
 * organisation.
 */
export const MAX_REQUESTED_COUNT = 1_000;
export const MAX_LATENCY_MS = 30_000;
export const DEFAULT_COUNT = 10;

const milliseconds = Type.Integer({ minimum: 0, maximum: MAX_LATENCY_MS });

/** Latencies are in milliseconds, and a range includes both bounds. `fail_rate` is a share of the calls. */
export const MockResponse = named(
  'MockResponse',
  {
    count: Type.Integer({ minimum: 1, maximum: MAX_COUNT }),
    wrapper: Type.Unsafe<unknown>({ type: ['object', 'array', 'string'], additionalProperties: true }),
    status: Type.Integer({ minimum: 200, maximum: 599 }),
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
    }),
    latency_ms: Type.Union([milliseconds, Type.Object({ min: milliseconds, max: milliseconds })]),
    fail_rate: Type.Number({ minimum: 0, maximum: 1 }),
  },
  { description: 'The response of the endpoint, with all defaults filled in.' },
);
export type MockResponse = ResponseOf<typeof MockResponse>;
