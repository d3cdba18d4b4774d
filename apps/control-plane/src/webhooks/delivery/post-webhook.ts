import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';

import type { AddressGuard } from '../receivers/address-guard.js';
import { AddressRefusedError, guardedLookup, type Resolve } from '../receivers/guarded-lookup.js';
import { hostOf, knownAddresses } from '../receivers/receiver-url.js';

export interface WebhookRequest {
  readonly url: string;
  /** All headers except `Host` and `Connection`, which Node.js adds. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Why an attempt failed. */
export const TRY_ERRORS = [
  'http_status',
  'timeout',
  'address_refused',
  'dns_failed',
  'connection_failed',
  'tls_failed',
  'invalid_response',
  'secret_unreadable',
] as const;
export type TryError = (typeof TRY_ERRORS)[number];

/** The result of an attempt. */
export interface Receipt {
  /** Null if no response arrived. */
  readonly statusCode: number | null;
  /** Null for a status from 200 to 299. */
  readonly error: TryError | null;
  readonly retryAfter?: string | undefined;
}

export interface Sender {
  readonly resolve: Resolve;
  readonly allows: AddressGuard;
  readonly timeoutMs: number;
}

/** Limits on reading a response body. The body is discarded, because only the status counts. */
const BODY_BYTES = 8 * 1024;
const BODY_MS = 1_000;
/** The number of informational responses (100, 103) that are accepted before the final one. */
const INFORMATIONAL = 10;

/** Returns the headers of a request. @param signatures the headers that authenticate the request */
export function webhookHeaders(
  body: string,
  signatures: Readonly<Record<string, string>>,
): WebhookRequest['headers'] {
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Understudy-Webhooks',
    ...signatures,
  };
}

/**
 * Sends one request over a new connection and follows no redirect. It never rejects: every behaviour of a
 * receiver ends in a receipt within `timeoutMs`. It costs one socket and some KiB.
 */
export function postWebhook({ url, headers, body }: WebhookRequest, sender: Sender): Promise<Receipt> {
  const target = new URL(url);
  // No DNS look-up happens for a host that is an IP address, so it is checked here.
  if (knownAddresses(hostOf(target))?.some(sender.allows) === false)
    return Promise.resolve(failed('address_refused'));
  return new Promise((settle) => {
    const send = target.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(target, {
      method: 'POST',
      agent: false,
      lookup: guardedLookup(sender.resolve, sender.allows),
      headers,
    });
    let informational = 0;
    const end = (receipt: Receipt): void => {
      clearTimeout(deadline);
      settle(receipt); // the first one counts
      request.destroy();
    };
    const deadline = setTimeout(() => end(failed('timeout')), sender.timeoutMs);
    request.on('error', (error) => end(failed(errorOf(error))));
    request.on('information', () => {
      if (++informational > INFORMATIONAL) end(failed('invalid_response'));
    });
    const gone = (): void => end(failed('connection_failed'));
    request.on('close', gone);
    request.on('response', (response) => {
      request.off('close', gone);
      const receipt = receiptOf(response);
      drain(response, () => end(receipt));
    });
    request.end(body);
  });
}

function receiptOf({ statusCode = 0, headers }: IncomingMessage): Receipt {
  const isSuccess = statusCode >= 200 && statusCode < 300;
  return { statusCode, error: isSuccess ? null : 'http_status', retryAfter: headers['retry-after'] };
}

/** Reads a short response to its end, so that the receiver can finish sending it. */
function drain(response: IncomingMessage, done: () => void): void {
  let taken = 0;
  const late = setTimeout(done, BODY_MS);
  response.on('data', (chunk: Buffer) => {
    taken += chunk.length;
    if (taken > BODY_BYTES) done();
  });
  response.on('error', done);
  response.on('close', () => {
    clearTimeout(late);
    done();
  });
}

function failed(error: TryError): Receipt {
  return { statusCode: null, error };
}

/**
 * Classifies an error by its code only. The error's message can contain internal host names and addresses,
 * which the readers of the delivery log must not see.
 */
function errorOf(error: Error): TryError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error instanceof AddressRefusedError) return 'address_refused';
  if ('syscall' in error && String(error.syscall).startsWith('query')) return 'dns_failed';
  if (/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code)) return 'tls_failed';
  if (code.startsWith('HPE_')) return 'invalid_response';
  return 'connection_failed';
}
