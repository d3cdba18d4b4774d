/** The response of an endpoint, with all defaults filled in. */
export interface MockResponse {
  readonly count: number;
  readonly wrapper: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The delay of a response in milliseconds. A range includes both bounds. */
  readonly latency_ms: number | LatencyRange;
  /** The share of the calls that fail, from 0 to 1. */
  readonly fail_rate: number;
}

export interface LatencyRange {
  readonly min: number;
  readonly max: number;
}

/** The largest `count` that the definition of an endpoint may set. */
export const MAX_COUNT = 10_000;
/**
 * The largest `?count=`. It is smaller than `MAX_COUNT`, because callers need not be members of the
 * organisation.
 */
export const MAX_REQUESTED_COUNT = 1_000;
export const MAX_LATENCY_MS = 30_000;
export const DEFAULT_COUNT = 10;
