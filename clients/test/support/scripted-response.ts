import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

/** The response of the fault server to one attempt. clients/scenarios/README.md describes the fields. */
export interface ScriptedResponse {
  /** Default: 200. */
  readonly status?: number;
  /** Added to the default headers. `null` removes a default header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The body is `{"data": …, "meta": …}`. */
  readonly data?: unknown;
  /** The body is `{"error": …, "meta": …}`. */
  readonly error?: { readonly code: string; readonly message: string; readonly details?: unknown };
  /** The body is this value as JSON. */
  readonly json?: unknown;
  readonly text?: string;
  readonly base64?: string;
  /** The body is NDJSON: an object is a record, and a text is a line as it is, with its line break. */
  readonly lines?: readonly unknown[];
  /** The body is NDJSON with this number of records `{"id": 1, "name": "record 1"}`. */
  readonly records?: number;
  /** The body is `text`, repeated. */
  readonly repeat?: { readonly before?: string; readonly text: string; readonly times: number };
  /** The content encoding of the body. A body with an encoding without a compressor here stays as it is. */
  readonly encoding?: string;
  /** Bytes of each write. Default: as they come. */
  readonly split?: number;
  /** Milliseconds between two writes. */
  readonly pause?: number;
  /** Milliseconds before the response begins. */
  readonly delay?: number;
  readonly fault?: Fault;
}

export interface Fault {
  /** `connect`: before the request is read. `request`: after it, without a response. */
  readonly at: 'connect' | 'request' | 'headers' | 'body';
  /** For `body`: the number of bytes of the body that are sent before the fault. Default: half of a short body. */
  readonly after?: number;
  /** `reset`: RST. `close`: FIN. `hang`: nothing more is sent until the client closes the connection. */
  readonly how: 'reset' | 'close' | 'hang';
}

export const REQUEST_ID = 'req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E';
const META = { request_id: REQUEST_ID, timestamp: '2026-11-21T09:30:00.000Z' };
const COMPRESSORS = new Map([
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['gzip', gzipSync],
]);
/** The size of the parts in which a long body is made. */
const PART = 64 * 1024;

/** Returns the headers of a response. A body without `content-length` is chunked. */
export function headersOf(response: ScriptedResponse): Record<string, string> {
  const isShort = !isStream(response);
  const records = response.records ?? response.lines?.length;
  const headers: Record<string, string | null> = {
    'content-type': contentType(response),
    'x-request-id': REQUEST_ID,
    ...(response.encoding !== undefined && { 'content-encoding': response.encoding }),
    ...(isShort && { 'content-length': String(Buffer.concat([...bodyOf(response)]).length) }),
    ...(records !== undefined && {
      'x-generation-seed': '42',
      'x-generation-count': String(records),
      'x-generation-now': '2026-11-21T00:00:00.000Z',
      'x-generation-warnings': '0',
      'x-generation-engine-version': '2',
    }),
    ...lowerCase(response.headers ?? {}),
  };
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, dated(value)]])),
  );
}

/** Returns the body in parts of at most `split` bytes. */
export function* bodyOf(response: ScriptedResponse): Generator<Buffer> {
  const { split, encoding = '' } = response;
  const compress = COMPRESSORS.get(encoding);
  const parts = compress ? [compress(Buffer.concat([...partsOf(response)]))] : partsOf(response);
  for (const part of parts)
    if (split === undefined) yield part;
    else for (let from = 0; from < part.length; from += split) yield part.subarray(from, from + split);
}

function* partsOf(response: ScriptedResponse): Generator<Buffer> {
  if (response.base64 !== undefined) yield Buffer.from(response.base64, 'base64');
  else if (response.text !== undefined) yield Buffer.from(response.text);
  else if (response.lines !== undefined) yield Buffer.from(response.lines.map(asLine).join(''));
  else if (response.records !== undefined) yield* recordLines(response.records);
  else if (response.repeat !== undefined) yield* repeated(response.repeat);
  else yield Buffer.from(JSON.stringify(jsonOf(response)));
}

function jsonOf(response: ScriptedResponse): unknown {
  if ('json' in response) return response.json;
  if (response.error !== undefined) return { error: response.error, meta: META };
  return { data: response.data ?? {}, meta: META };
}

function contentType(response: ScriptedResponse): string {
  if (response.lines !== undefined || response.records !== undefined) return 'application/x-ndjson';
  return response.text === undefined ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
}

function isStream({ lines, records, repeat }: ScriptedResponse): boolean {
  return lines !== undefined || records !== undefined || repeat !== undefined;
}

const asLine = (line: unknown): string => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`);

function* recordLines(count: number): Generator<Buffer> {
  let part = '';
  for (let id = 1; id <= count; id++) {
    part += `{"id":${id},"name":"record ${id}"}\n`;
    if (part.length < PART && id < count) continue;
    yield Buffer.from(part);
    part = '';
  }
}

function* repeated({ before, text, times }: NonNullable<ScriptedResponse['repeat']>): Generator<Buffer> {
  if (before !== undefined) yield Buffer.from(before);
  const perPart = Math.max(1, Math.floor(PART / text.length));
  const part = Buffer.from(text.repeat(perPart));
  for (let left = times; left > 0; left -= perPart)
    yield left >= perPart ? part : Buffer.from(text.repeat(left));
}

function lowerCase<T>(headers: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Replaces `<date+30>` by the time in 30 seconds, as a date of HTTP. */
function dated(value: string): string {
  return value.replace(/<date([+-]\d+)>/, (_, seconds: string) =>
    new Date(Date.now() + Number(seconds) * 1000).toUTCString(),
  );
}
