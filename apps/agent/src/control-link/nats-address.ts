import { isLoopback } from '@understudy/sync-engine';
import { ConfigurationError } from '../config/configuration-error.js';

/**
 * Whether the addresses the control plane named may be dialled: tls:// anywhere, plain nats:// on loopback only.
 * @throws ConfigurationError
 */
export function checkNatsAddresses(urls: readonly string[]): void {
  const refused = urls.filter((url) => !isAcceptable(url));
  if (urls.length > 0 && refused.length === 0) return;
  throw new ConfigurationError('NATS cannot be dialled', [
    urls.length === 0
      ? 'the control plane named no NATS address'
      : 'the control plane named a NATS address that is neither tls:// nor on loopback (its UNDERSTUDY_NATS_PUBLIC_URL)',
  ]);
}

/** Whether the server must speak TLS before anything is sent. */
export function asksForTls(urls: readonly string[]): boolean {
  return urls.some((url) => url.startsWith('tls:'));
}

function isAcceptable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return false;
  // A scheme that is not special to URL keeps its host as it was written: compare without regard to case.
  return protocol === 'tls:' || (protocol === 'nats:' && isLoopback(hostname.toLowerCase()));
}
