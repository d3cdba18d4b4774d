export interface ResponseMeta {
  readonly request_id: string;
  readonly timestamp: string;
}

export function responseMeta(requestId: string, now = new Date()): ResponseMeta {
  return { request_id: requestId, timestamp: now.toISOString() };
}

/** The return value of a handler that adds keys to `meta`. */
export class DataWithMeta<T> {
  constructor(
    readonly data: T,
    readonly meta: Readonly<Record<string, unknown>>,
  ) {}
}

/**
 * The text before and the text after data that is written in several parts. Together with the data, they form
 * the envelope `{data, meta}`.
 */
export interface EnvelopeEnds {
  readonly open: string;
  /** @param extra additional keys of `meta`, known after the data is written */
  close(extra: Readonly<Record<string, unknown>>): string;
}

export function envelopeEnds(requestId: string): EnvelopeEnds {
  return {
    open: '{"data":',
    close: (extra) => `,"meta":${JSON.stringify({ ...responseMeta(requestId), ...extra })}}`,
  };
}
