import { parseExactJson, ROUNDED, roundedNumbers } from '@understudy/expression';
import { fieldPath } from '@understudy/sync-job';

import { ApiError, type FieldProblem } from '../errors/api-error.js';

export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_JSON_DEPTH = 64;

/**
 * Parses a request body. Keys such as `__proto__` become ordinary own properties, as in JSON.parse. A number
 * that a double would change becomes a bigint, an ExactDecimal or a RoundedNumber.
 * @throws ApiError `bad_request` if the body is not UTF-8 JSON, `limit_exceeded` if it nests deeper than 64
 * levels
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  if (depthExceeds(text, MAX_JSON_DEPTH)) {
    throw new ApiError('limit_exceeded', `The body nests deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  try {
    return parseExactJson(text);
  } catch {
    // The parser's message quotes the body, so it is not passed on.
    throw new ApiError('bad_request', 'The body is not valid JSON.');
  }
}

/** Reports the numbers of a parsed body that have too many digits. */
export function roundedNumberProblems(body: unknown): readonly FieldProblem[] {
  return roundedNumbers(body).map((keys) => ({
    field: keys.reduce<string>(fieldPath, '') || 'body',
    message: ROUNDED,
  }));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('bad_request', 'The body is not valid UTF-8.');
  }
}

/**
 * Returns whether brackets outside strings nest deeper than `limit`. The result is meaningless for invalid
 * JSON, which the parser refuses afterwards.
 */
export function depthExceeds(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}
