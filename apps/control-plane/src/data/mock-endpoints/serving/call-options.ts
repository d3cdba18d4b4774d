import {
  expectedButGot,
  INSTANT_EXPECTED,
  parseInstant,
  parseSeed,
  SEED_EXPECTED,
} from '@understudy/sync-job';

import { validationError, type FieldProblem } from '../../../platform/http/errors/api-error.js';
import { MAX_REQUESTED_COUNT } from '../mock-response.js';

/** The options of a call in its query and headers. Other query parameters are ignored. */
export interface CallOptions {
  readonly seed: number | undefined;
  readonly now: Date | undefined;
  readonly count: number | undefined;
}

const NOTHING: CallOptions = { seed: undefined, now: undefined, count: undefined };

/**
 * @param query the query without its question mark
 * @param seedHeader the header `X-Seed`; it is ignored if the query contains `seed`
 * @throws ApiError `validation_error`
 */
export function readCallOptions(query: string, seedHeader: string | string[] | undefined): CallOptions {
  if (query === '' && seedHeader === undefined) return NOTHING;
  const params = new URLSearchParams(query);
  const problems: FieldProblem[] = [];
  const read = <T>(
    field: string,
    texts: readonly string[],
    what: string,
    parse: (text: string) => T | undefined,
  ) => {
    const [text] = texts;
    if (text === undefined) return undefined;
    const value = texts.length === 1 ? parse(text) : undefined;
    const message = texts.length === 1 ? expectedButGot(what, text) : 'is given more than once';
    if (value === undefined) problems.push({ field, message });
    return value;
  };
  const inQuery = params.getAll('seed');
  const inHeader = seedHeader === undefined ? [] : [seedHeader].flat();
  const seed =
    inQuery.length > 0
      ? read('seed', inQuery, SEED_EXPECTED, parseSeed)
      : read('X-Seed', inHeader, SEED_EXPECTED, parseSeed);
  const now = read('now', params.getAll('now'), INSTANT_EXPECTED, parseInstant);
  const count = read('count', params.getAll('count'), `an integer from 1 to ${MAX_REQUESTED_COUNT}`, (text) =>
    wholeNumber(text, 1, MAX_REQUESTED_COUNT),
  );
  if (problems.length > 0) throw validationError(problems);
  return { seed, now, count };
}

function wholeNumber(text: string, min: number, max: number): number | undefined {
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}
