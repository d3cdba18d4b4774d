import { responseMeta } from './response-meta.js';

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
