import { type ApiError, apiError, ConnectionError } from '@understudy/client';

import { BASE_PATH } from './client.js';

/** The timeout of a call. */
const TIMEOUT_MS = 30_000;

/**
 * Calls one of the server's own routes for this page, such as `session`. They are not part of the API.
 * @param path the path after `/dashboard/`
 * @returns the field `data` of the response
 * @throws ApiError if the server refuses the call, ConnectionError if it sends no response
 */
export async function pageCall<T>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  const response = await send(method, path, body);
  const content = await readJson(response);
  if (response.ok && content?.data !== undefined) return content.data as T;
  throw refusal(path, response, content);
}

/** Returns the error that a response with a failure contains. @param content the body, if it is JSON */
export function refusal(operation: string, response: Response, content: Content | undefined): ApiError {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return apiError({
    operation,
    status: response.status,
    code: content?.error?.code ?? 'unexpected_response',
    message: content?.error?.message ?? 'The server sent a response that the page does not understand.',
    requestId: content?.meta?.request_id,
    details: content?.error?.details ?? [],
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
    idempotencyKey: undefined,
  });
}

export interface Content {
  readonly data?: unknown;
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly details?: readonly { field: string; message: string }[];
  };
  readonly meta?: { readonly request_id?: string };
}

async function send(method: string, path: string, body: object | undefined): Promise<Response> {
  try {
    return await fetch(`${BASE_PATH}/dashboard/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    throw new ConnectionError(`${path}: the server sent no response`, undefined, undefined);
  }
}

async function readJson(response: Response): Promise<Content | undefined> {
  try {
    return (await response.json()) as Content;
  } catch {
    return undefined; // the caller reports a response that is not JSON
  }
}
