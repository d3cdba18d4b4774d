import { parseExactJson, ROUNDED, roundedNumbers } from '@understudy/expression';
import { fieldPath } from '@understudy/sync-job';
import type { IncomingHttpHeaders } from 'node:http';

import { ApiError, type FieldProblem } from '../errors/api-error.js';

export const MAX_BODY_BYTES = 1024 * 1024;
/** The limit of operations whose bodies worker threads parse. */
export const MAX_LARGE_BODY_BYTES = 32 * 1024 * 1024;
export const MAX_JSON_DEPTH = 64;
/** Only a body of more than 1 MiB can exceed it. */
export const MAX_JSON_VALUES = 1_000_000;

/**
 * Parses a request body. Keys such as `__proto__` become ordinary own properties, as in JSON.parse. A number
 * that a double would change becomes a bigint, an ExactDecimal or a RoundedNumber.
 * @throws ApiError `bad_request` if the body is not UTF-8 JSON, `limit_exceeded` if it nests deeper than 64
 * levels or has more than a million values
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  checkShape(text);
  try {
    return parseExactJson(text);
  } catch {
    // The parser's message quotes the body, so it is not passed on.
    throw new ApiError('bad_request', 'The body is not valid JSON.');
  }
}

/** @throws ApiError `unsupported_media_type` if a body is compressed */
export function refuseEncoding({ 'content-encoding': encoding }: IncomingHttpHeaders): void {
  if (encoding === undefined || encoding === 'identity') return;
  throw new ApiError('unsupported_media_type', 'Send the body without a content encoding.');
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
 * Checks how deep brackets outside strings nest, and the number of values. A value can need 20 times the memory of its
 * text, and V8 ends the whole process if `JSON.parse` needs more than the heap of its thread. For invalid JSON, which
 * the parser refuses afterwards, the result has no meaning.
 * @throws ApiError `limit_exceeded`
 */
function checkShape(text: string): void {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x2c) values++;
    else if (code === 0x7b || code === 0x5b) {
      values++;
      if (++depth > MAX_JSON_DEPTH) throw tooMuch(`nests deeper than ${MAX_JSON_DEPTH} levels`);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  if (values > MAX_JSON_VALUES) throw tooMuch(`has more than ${MAX_JSON_VALUES} values`);
}

function tooMuch(what: string): ApiError {
  return new ApiError('limit_exceeded', `The body ${what}.`);
}
