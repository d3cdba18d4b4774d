/** How an endpoint answers, with everything that was left out filled in. */
export interface MockResponse {
  readonly count: number;
  readonly wrapper: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds; both bounds included. */
  readonly latency_ms: number | LatencyRange;
  /** Share of the calls that fail. */
  readonly fail_rate: number;
}

export interface LatencyRange {
  readonly min: number;
  readonly max: number;
}

/** What an endpoint answers by default. */
export const MAX_COUNT = 10_000;
/** What a call may ask for by `?count=`: anybody may call. */
export const MAX_ASKED_COUNT = 1_000;
export const MAX_LATENCY_MS = 30_000;
export const DEFAULT_COUNT = 10;
