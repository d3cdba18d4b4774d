import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';
import type { ApiAddress } from '../config/environment.js';
import { readable } from '../terminal/printable.js';

const TIMEOUT_MS = 90_000;
/** The largest response to read. Responses of the API are much smaller. */
const MAX_RESPONSE_BYTES = 256 * 1024;
const MAX_DETAILS = 20;

/** The model in the API's response to an upload. */
export interface UploadedModel {
  readonly id: string;
}

/**
 * Sends `POST /models`. Does not retry and does not follow redirects.
 * @throws CliError with the API's message and details, or with the cause of a failed connection
 */
export async function sendModel({ url, token }: ApiAddress, form: FormData): Promise<UploadedModel> {
  const response = await fetch(`${url}/models`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    body: form,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw failure(`cannot reach ${new URL(url).origin}: ${causeOf(error)}`);
  });
  const body = await readJson(response);
  if (response.status !== 201) throw refusal(response.status, body);
  const id = text(member(member(body, 'data'), 'id'));
  if (id === undefined)
    throw failure('expected a model in the response, received none: check UNDERSTUDY_API_URL');
  return { ...(member(body, 'data') as object), id };
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown cause';
  if (error.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} s`;
  const code = text(member(error.cause, 'code'));
  return code ?? 'the connection failed';
}

async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) return undefined;
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return undefined; // The response is not from our API, so the caller reports only its status.
  }
}

function refusal(status: number, body: unknown): CliError {
  const error = member(body, 'error');
  const [code, message] = [text(member(error, 'code')), text(member(error, 'message'))];
  if (code === undefined || message === undefined)
    return failure(`expected a response of the API, received status ${status}: check UNDERSTUDY_API_URL`);
  const details = member(error, 'details');
  const fields = (Array.isArray(details) ? details.slice(0, MAX_DETAILS) : []).map(
    (detail) => `\n  ${text(member(detail, 'field')) ?? ''}: ${text(member(detail, 'message')) ?? ''}`,
  );
  return failure(`the API rejected the model (${status} ${code}): ${message}${fields.join('')}`);
}

function failure(message: string): CliError {
  return new CliError(EXIT.api, message);
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (Reflect.get(value, key) as unknown) : undefined;
}

/** Returns a string without control characters, which a terminal could interpret; undefined for other types. */
function text(value: unknown): string | undefined {
  return typeof value === 'string' ? readable(value) : undefined;
}
