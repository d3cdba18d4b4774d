import type { ApiError } from '../../platform/http/errors/api-error.js';
import { envelopeEnds } from '../../platform/http/pipeline/envelope.js';
import { errorBody } from '../../platform/http/errors/error-body.js';
import type { ResponseFormat } from './response-format.js';

/** The text around the records of a response. */
export interface ResponseFrame {
  /** Headers that announce the frame, if it differs from the usual one of its format. */
  readonly headers?: Readonly<Record<string, string>>;
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
  /** Whether the caller asked for marked errors. */
  readonly marksErrors: boolean;
  readonly count: number;
  readonly seed: number;
  /** Returns the keys of `meta` in addition to those of every response. Called after the last record. */
  meta(): Readonly<Record<string, unknown>>;
}

/**
 * The request header with which a caller asks for marked errors. A response repeats it if the line of an error begins
 * with `ERROR_MARK`.
 */
export const ERRORS_HEADER = 'x-generation-errors';
export const ERRORS_MARKED = 'marked';
/** The record separator U+001E. It is no part of any JSON text, so no record can imitate it. */
const ERROR_MARK = '\u001e';

export function responseFrame(format: ResponseFormat, facts: ResponseFacts): ResponseFrame {
  const { requestId, count, seed, marksErrors } = facts;
  if (format === 'csv') return { head: '', tail: () => '' };
  if (format === 'ndjson') {
    const errorTail = (error: ApiError): string =>
      `${marksErrors ? ERROR_MARK : ''}${JSON.stringify({ error: errorBody(error, requestId).error })}\n`;
    const announced = marksErrors && { headers: { [ERRORS_HEADER]: ERRORS_MARKED } };
    return { ...announced, head: '', tail: () => '', errorTail };
  }
  const { open, close } = envelopeEnds(requestId);
  return {
    head: `${open}{"records":[`,
    tail: () => `],"count":${count},"seed":${seed}}${close(facts.meta())}`,
  };
}
