import { ConfigurationError } from '../errors.js';
import type { JsonCodec } from './json.js';

/** How an operation of the API is requested. The generated table has one for each operation. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: 'json' | 'multipart';
  /** When an attempt may be repeated. `beforeFirstByte` refers to the body of the response. */
  readonly retry: 'always' | 'beforeFirstByte' | 'never';
  readonly idempotencyKey: boolean;
  /** Whether the operation needs no token. */
  readonly public: boolean;
  /** Whether the response has the form `{data, meta}`. */
  readonly enveloped: boolean;
  /** The field with the items of a page. */
  readonly items?: string;
}

/** Options of one call. */
export interface CallOptions {
  /** The timeout of one attempt, in seconds. */
  readonly timeout?: number | undefined;
  /** The number of attempts after the first one. */
  readonly maxRetries?: number | undefined;
  /** Ends the call. The promise then rejects with the reason of the signal, as that of `fetch` does. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of one call of an operation that accepts an idempotency key. */
export interface KeyedCallOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters without spaces. By default, the client creates a key for each call. */
  readonly idempotencyKey?: string | undefined;
}

/** The arguments of one call. */
export interface CallArguments {
  /** The values of the placeholders in the path. */
  readonly path?: readonly string[];
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly options?: KeyedCallOptions | undefined;
}

/**
 * Returns the URL of a call. Each value in the path is encoded as one segment.
 * @throws ConfigurationError if a value would change the path
 */
export function requestUrl(
  baseUrl: string,
  { id, path }: Operation,
  { path: values = [], query }: CallArguments,
): string {
  let next = 0;
  const segments = path.replace(/\{(\w+)\}/g, (_, name: string) => encodedSegment(id, name, values[next++]));
  const search = new URLSearchParams(
    Object.entries(query ?? {})
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return `${baseUrl}${segments}${search === '' ? '' : `?${search}`}`;
}

function encodedSegment(operation: string, name: string, value: unknown): string {
  // URLs resolve the segments `.` and `..`, even if they are percent-encoded.
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
    throw new ConfigurationError(`${operation}: ${name}: expected the id of a resource`);
  try {
    return encodeURIComponent(value);
  } catch {
    throw new ConfigurationError(`${operation}: ${name}: expected valid Unicode text`);
  }
}

/** The encoded body of a call. All attempts send the same bytes. */
export interface RequestBody {
  readonly bytes: string | ArrayBuffer;
  readonly contentType: string;
}

/** Encodes the body of a call, if the operation has one. */
export async function requestBody(
  operation: Operation,
  body: object | undefined,
  { stringify }: JsonCodec,
): Promise<RequestBody | undefined> {
  if (operation.body === undefined) return undefined;
  if (operation.body === 'json') return { bytes: stringify(body ?? {}), contentType: 'application/json' };
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) {
    if (value === undefined || value === null) continue;
    if (value instanceof Blob) form.append(name, value);
    else if (value instanceof Uint8Array) form.append(name, new Blob([new Uint8Array(value)]), name);
    else form.append(name, String(value));
  }
  // A form gets a new boundary whenever it is encoded. With another boundary, the server would take a repeated
  // request for a different one.
  const encoded = new Response(form);
  return {
    bytes: await encoded.arrayBuffer(),
    contentType: encoded.headers.get('content-type') ?? 'multipart/form-data',
  };
}
