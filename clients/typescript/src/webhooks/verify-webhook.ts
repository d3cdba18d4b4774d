import { ConfigurationError, WebhookVerificationError } from '../errors.js';
import { isObject, joined } from '../transport/response.js';
import { runtime } from '../transport/runtime.js';

/** The event that a webhook request contains. */
export interface WebhookEvent {
  /** The id of the event. A repeated request has the same id. */
  readonly id: string;
  readonly event: WebhookEventName;
  /** The time of the event (ISO 8601). */
  readonly timestamp: string;
  /** The fields depend on `event`. */
  readonly data: Record<string, unknown>;
}

export type WebhookEventName =
  | 'sync.started'
  | 'sync.completed'
  | 'sync.failed'
  | 'snapshot.created'
  | 'snapshot.restored'
  | 'webhook.test'
  | (string & {});

/** The headers of a request: of the Fetch API, or as Node.js has them. Names are compared without case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** The largest difference between the timestamp of the request and the clock, in seconds. Default: 300. */
  readonly tolerance?: number | undefined;
  /**
   * Accepts a request that has only `X-Service-Signature`. This signature covers no timestamp, so anybody who recorded
   * a request can send it again: store the ids of the events that you processed. Default: false.
   */
  readonly allowUntimed?: boolean | undefined;
}

/** The largest number of signatures that are compared. A rotation has two. */
const MAX_SIGNATURES = 20;
/** A signature of 32 bytes. Spaces separate several ones, and commas if HTTP joined several headers. */
const SIGNATURE = /(?:^|[ \t,])v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)(?=$|[ \t,])/g;

/**
 * Verifies that a request comes from the control plane, and returns its event. It checks `webhook-signature`, which
 * covers a timestamp. A request without this header is refused, unless you pass `allowUntimed`. An event can arrive
 * twice: store the ids of the events that you processed.
 *
 * @param rawBody the body as it was received, before any parser changed it
 * @param secrets one secret (`whsec_…`), or several ones during a rotation
 * @throws WebhookVerificationError with the reason, if the request is not authentic
 * @throws ConfigurationError if `secrets` has no secret, or `tolerance` is no finite number from 0
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { tolerance = 300, allowUntimed = false }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const all = readSecrets(secrets);
  if (!Number.isFinite(tolerance) || tolerance < 0)
    throw new ConfigurationError('tolerance: expected a number of seconds, at least 0');
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const standard = headerOf(headers, 'webhook-signature');
  const untimed = headerOf(headers, 'x-service-signature');
  if (standard !== undefined) await verifyStandard(body, headers, standard, all, tolerance);
  else if (untimed !== undefined && allowUntimed) await verifyBody(body, untimed, all);
  else throw missingSignature(untimed !== undefined);
  return readEvent(body);
}

async function verifyStandard(
  body: Uint8Array,
  headers: WebhookHeaders,
  header: string,
  secrets: readonly string[],
  tolerance: number,
): Promise<void> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (id === undefined || timestamp === undefined)
    throw new WebhookVerificationError('missing_signature', 'expected webhook-id and webhook-timestamp');
  const signatures = Array.from(header.matchAll(SIGNATURE), ([, text = '']) => bytesOfBase64(text) ?? [])
    .flat()
    .slice(0, MAX_SIGNATURES);
  if (signatures.length === 0 || !/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError(
      'malformed_signature',
      'expected a signature `v1,…` with 32 bytes in base64, and a timestamp in seconds',
    );
  const signed = joined([new TextEncoder().encode(`${id}.${timestamp}.`), body]);
  const keys = secrets.map((secret) => bytesOfBase64(secret.replace(/^whsec_/, '')));
  if (!(await matchesAny(signed, signatures, keys)))
    throw new WebhookVerificationError('wrong_signature', 'webhook-signature belongs to no secret');
  if (Math.abs(runtime.now() / 1000 - Number(timestamp)) > tolerance)
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      `webhook-timestamp differs from the clock by more than ${tolerance} s`,
    );
}

async function verifyBody(body: Uint8Array, header: string, secrets: readonly string[]): Promise<void> {
  if (!/^[0-9a-f]{64}$/i.test(header))
    throw new WebhookVerificationError('malformed_signature', 'expected 64 hexadecimal digits');
  const signature = Uint8Array.from(header.match(/../g) ?? [], (digits) => parseInt(digits, 16));
  const keys = secrets.map((secret) => new TextEncoder().encode(secret));
  if (!(await matchesAny(joined([body]), [signature], keys)))
    throw new WebhookVerificationError('wrong_signature', 'X-Service-Signature belongs to no secret');
}

function missingSignature(isUntimed: boolean): WebhookVerificationError {
  const hint = isUntimed ? '. To accept X-Service-Signature, which covers no time, pass allowUntimed' : '';
  return new WebhookVerificationError('missing_signature', `expected the header webhook-signature${hint}`);
}

/** Compares each signature with each key. `verify` of Web Crypto compares in constant time. */
async function matchesAny(
  signed: Bytes,
  signatures: readonly Bytes[],
  keys: readonly (Bytes | undefined)[],
): Promise<boolean> {
  let isMatch = false;
  for (const bytes of keys) {
    if (bytes === undefined || bytes.byteLength === 0) continue;
    const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify']);
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) isMatch = true;
  }
  return isMatch;
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };
/** Web Crypto accepts no bytes of shared memory. */
type Bytes = Uint8Array<ArrayBuffer>;

function readSecrets(secrets: string | readonly string[]): readonly string[] {
  const all = typeof secrets === 'string' ? [secrets] : secrets;
  if (all.length > 0 && all.every((secret) => typeof secret === 'string' && secret !== '')) return all;
  throw new ConfigurationError('secrets: expected at least one secret of the webhook');
}

function bytesOfBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined; // matches nothing
  }
}

/** Joins the values of a header as HTTP does, so that two timestamps or ids never pass for one of them. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length === 0 ? undefined : values.join(', ');
}

function readEvent(body: Uint8Array): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder().decode(body));
  } catch {
    event = undefined; // reported below
  }
  if (isObject(event)) return event as unknown as WebhookEvent;
  throw new WebhookVerificationError('malformed_body', 'expected a JSON object');
}
