import type { ApiError } from '../http/errors/api-error.js';
import { envelopeEnds } from '../http/pipeline/envelope.js';
import { errorBody } from '../http/errors/error-body.js';
import type { ResponseFormat } from './response-format.js';

/** The text around the records of a response. */
export interface ResponseFrame {
  readonly head: string;
  /** Returns the text after the last record. Called after all records were written. */
  tail(): string;
  /**
   * Returns the text that ends a response if generation fails after the first bytes were sent. If absent, the
   * connection is aborted.
   */
  errorTail?(error: ApiError): string;
}

export interface ResponseFacts {
  readonly requestId: string;
  readonly count: number;
  readonly seed: number;
  /** Returns the keys of `meta` in addition to those of every response. Called after the last record. */
  meta(): Readonly<Record<string, unknown>>;
}

export function responseFrame(format: ResponseFormat, facts: ResponseFacts): ResponseFrame {
  const { requestId, count, seed } = facts;
  if (format === 'csv') return { head: '', tail: () => '' };
  if (format === 'ndjson') {
    const errorTail = (error: ApiError): string =>
      `${JSON.stringify({ error: errorBody(error, requestId).error })}\n`;
    return { head: '', tail: () => '', errorTail };
  }
  const { open, close } = envelopeEnds(requestId);
  return {
    head: `${open}{"records":[`,
    tail: () => `],"count":${count},"seed":${seed}}${close(facts.meta())}`,
  };
}
