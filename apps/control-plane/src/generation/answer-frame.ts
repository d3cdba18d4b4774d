import type { ApiError } from '../http/errors/api-error.js';
import { envelopeEnds } from '../http/pipeline/envelope.js';
import { errorBody } from '../http/errors/error-body.js';
import type { AnswerFormat } from './answer-format.js';

/** What stands around the records of an answer. */
export interface AnswerFrame {
  readonly head: string;
  /** Asked for after the last record. */
  tail(): string;
  /** What is said when the work fails after the beginning has left. Without it the connection is aborted. */
  lastWords?(error: ApiError): string;
}

export interface AnswerFacts {
  readonly requestId: string;
  readonly count: number;
  readonly seed: number;
  /** Keys of `meta` beyond those of every answer, known after the last record. */
  meta(): Readonly<Record<string, unknown>>;
}

export function answerFrame(format: AnswerFormat, facts: AnswerFacts): AnswerFrame {
  const { requestId, count, seed } = facts;
  if (format === 'csv') return { head: '', tail: () => '' };
  if (format === 'ndjson') {
    const lastWords = (error: ApiError): string =>
      `${JSON.stringify({ error: errorBody(error, requestId).error })}\n`;
    return { head: '', tail: () => '', lastWords };
  }
  const { open, close } = envelopeEnds(requestId);
  return {
    head: `${open}{"records":[`,
    tail: () => `],"count":${count},"seed":${seed}}${close(facts.meta())}`,
  };
}
