import { apiError, type ApiError } from '../errors.js';
import type { FieldProblem } from '../generated/types.js';
import type { ParseJson } from './json.js';
import type { Operation } from './request.js';
import { readRetryAfter } from './retry.js';
import { currentProcess } from './runtime.js';

/** The largest response that is read as a whole, in bytes. */
const MAX_BODY = 64 * 1024 * 1024;
const MAX_DETAILS = 100;

/** A response whose body has been read. */
export interface JsonResponse {
  readonly status: number;
  readonly headers: Headers;
  /** `undefined` if the body is not JSON. */
  readonly json: unknown;
  readonly isTooLarge: boolean;
}

/** Reads the whole body as JSON. Rejects if the connection breaks. */
export async function readJson(response: Response, parse: ParseJson): Promise<JsonResponse> {
  const { status, headers } = response;
  const bytes = await readBody(response);
  return { status, headers, json: bytes && parsed(bytes, parse), isTooLarge: bytes === undefined };
}

/** Reads the whole body. Returns `undefined` if it is too large. Rejects if the connection breaks. */
export async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size > MAX_BODY) break;
    chunks.push(read.value);
  }
  if (size <= MAX_BODY) return joined(chunks);
  // The connection cannot be used again. Whether closing it succeeds makes no difference.
  await reader?.cancel().catch(() => undefined);
  return undefined;
}

/** Joins chunks to one array. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return all;
}

function parsed(bytes: Uint8Array, parse: ParseJson): unknown {
  try {
    return parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined; // the caller reports a response that is not JSON
  }
}

/** Returns the result of a successful response, or `undefined` if the response lacks it. */
export function resultOf({ enveloped, items }: Operation, { json }: JsonResponse): object | undefined {
  const result = enveloped && isObject(json) ? json['data'] : json;
  if (!isObject(result)) return undefined;
  return items === undefined || Array.isArray(result[items]) ? result : undefined;
}

/**
 * Creates the error for a response that is not the expected one.
 * @param shown makes texts of the server safe to show
 * @param expected describes the expected body of a successful response
 */
export function errorOf(
  operation: Operation,
  response: JsonResponse,
  idempotencyKey: string | undefined,
  shown: ServerText,
  expected = operation.enveloped ? 'a JSON object with `data`' : 'a JSON object',
): ApiError {
  const { status, headers, json } = response;
  const encoding = encodingLeft(headers);
  const body = encoding === undefined && isObject(json) ? json : {};
  const requestId = requestIdOf(headers, shown, body);
  const common = {
    operation: operation.id,
    status,
    requestId,
    retryAfter: readRetryAfter(headers.get('retry-after')),
    idempotencyKey,
  };
  const error = body['error'];
  if (
    !isSuccess(status) &&
    isObject(error) &&
    isText(error['code']) &&
    typeof error['message'] === 'string'
  ) {
    return apiError({
      ...common,
      code: shown(error['code']),
      message: shown(error['message']),
      details: detailsOf(error['details'], shown),
    });
  }
  if (isRedirect(status))
    return apiError({
      ...common,
      code: 'unexpected_redirect',
      message: 'the server sent a redirect, which the client does not follow. Check baseUrl',
      details: [],
    });
  const message =
    encoding === undefined
      ? `expected ${isSuccess(status) ? expected : 'a JSON object with `error`'}, received ${receivedBody(response)}. Check baseUrl and proxies`
      : `expected a response without compression, received the content encoding "${shown(encoding)}". Turn it off in the server or the proxies before it`;
  return apiError({ ...common, code: 'unexpected_response', message, details: [] });
}

/** Status 0 is a redirect in a browser, which hides the response. */
const isRedirect = (status: number): boolean => status === 0 || (status >= 300 && status <= 399);

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

/** The content encodings that `fetch` decodes in every runtime. */
const DECODED = new Set(['identity', 'gzip', 'x-gzip', 'deflate', 'br']);

/**
 * Returns the content encoding of a body that `fetch` has not decoded. `fetch` keeps the header when it decodes a body.
 * A browser decodes each encoding that it requests.
 */
export function encodingLeft(headers: Headers): string | undefined {
  const encoding = headers.get('content-encoding');
  const isDecoded = encoding?.split(',').every((each) => DECODED.has(each.trim().toLowerCase())) ?? true;
  return isDecoded || currentProcess().versions === undefined ? undefined : (encoding ?? undefined);
}

/** Returns the media type of a response without its parameters. */
export function mediaType(headers: Headers): string {
  const type = /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?=\s*(;|$))/.exec(headers.get('content-type') ?? '');
  return type?.[0].toLowerCase() ?? 'no media type';
}

/** Returns the id of a request from the headers, or from the body of an error. */
export function requestIdOf(
  headers: Headers,
  shown: ServerText,
  body: Readonly<Record<string, unknown>> = {},
): string | undefined {
  const meta = body['meta'];
  const id = headers.get('x-request-id') ?? (isObject(meta) ? meta['request_id'] : undefined);
  return isText(id) ? shown(id) : undefined;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether a value is a text without spaces of at most 200 characters. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value);

/** Reads a list of invalid fields, and ignores entries of any other form. */
export function detailsOf(value: unknown, shown: ServerText): FieldProblem[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, MAX_DETAILS)
    .filter(isObject)
    .filter(({ field, message }) => typeof field === 'string' && typeof message === 'string')
    .map(({ field, message }) => ({ field: shown(String(field)), message: shown(String(message)) }));
}

function receivedBody({ json, headers, isTooLarge }: JsonResponse): string {
  if (isTooLarge) return `more than ${MAX_BODY} bytes`;
  return json === undefined ? `${mediaType(headers)} that is not JSON` : 'other JSON';
}

/** Makes a text of the server safe to show in an error. */
export type ServerText = (text: string) => string;

const MAX_LENGTH = 2000;
/** A shorter token could be a part of any text. */
const MIN_TOKEN = 8;

/**
 * Returns a function that hides the token, in case that a server or a proxy repeats it. The function also replaces
 * control characters, which could change a terminal, and shortens the text to 2,000 characters.
 */
export function serverText(token: string | null): ServerText {
  return (text) => {
    const hidden = token === null || token.length < MIN_TOKEN ? text : text.replaceAll(token, '[token]');
    return hidden.slice(0, MAX_LENGTH).replace(/\p{Cc}+/gu, ' ');
  };
}
