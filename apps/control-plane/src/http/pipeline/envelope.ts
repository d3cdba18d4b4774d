export interface ResponseMeta {
  readonly request_id: string;
  readonly timestamp: string;
}

export function responseMeta(requestId: string, now = new Date()): ResponseMeta {
  return { request_id: requestId, timestamp: now.toISOString() };
}

/** What a handler returns whose answer has keys of its own in `meta`. */
export class DataWithMeta<T> {
  constructor(
    readonly data: T,
    readonly meta: Readonly<Record<string, unknown>>,
  ) {}
}

/** What stands around data that is written piece by piece, so that the whole is the envelope `{data, meta}`. */
export interface EnvelopeEnds {
  readonly open: string;
  /** @param extra keys of the operation's own for `meta`, known once the data is written */
  close(extra: Readonly<Record<string, unknown>>): string;
}

export function envelopeEnds(requestId: string): EnvelopeEnds {
  return {
    open: '{"data":',
    close: (extra) => `,"meta":${JSON.stringify({ ...responseMeta(requestId), ...extra })}}`,
  };
}
