import { isLoopback } from '@understudy/agent-protocol/nats-trust';
import type { Outbound } from '@understudy/outbound';
import type { CustomFetch } from 'openid-client';

const MAX_RESPONSE_BYTES = 256 * 1024;

/**
 * Returns the function with which openid-client sends requests: with the trusted authorities and the proxy of
 * this process, without redirects, and with responses of at most 256 KiB. Plain HTTP goes only to loopback, even if the
 * metadata of a provider on loopback names another host. The caller's signal limits the time.
 */
export function boundedFetch(outbound: Outbound): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const { protocol, hostname } = new URL(url);
    if (protocol === 'http:' && !isLoopback(hostname))
      throw new Error('expected https:// for a provider that is not on loopback');
    return outbound.fetch(url, {
      method,
      headers,
      maxBytes: MAX_RESPONSE_BYTES,
      ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
      ...(signal ? { signal } : {}),
    });
  };
}
