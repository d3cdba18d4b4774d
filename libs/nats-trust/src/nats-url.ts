/** What both ends of the agent link accept as the address of a NATS server, in words for whoever sets one. */
export const ACCEPTED_NATS_URLS =
  'a URL that starts with tls://, or with nats:// for a loopback address, without user and password';

/**
 * Whether an address may be dialled: `tls://` anywhere, plaintext `nats://` on loopback only, never with credentials. The
 * control plane asks before it tells agents an address, and agents before they dial one.
 */
export function isAcceptedNatsUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (hostname === '' || username !== '' || password !== '') return false;
  // A scheme that is not special to URL keeps its host as it was written: compare without regard to case.
  return protocol === 'tls:' || (protocol === 'nats:' && LOOPBACK.test(hostname.toLowerCase()));
}

/** Whether the server must speak TLS before anything is sent. The NATS client does not read that from the address. */
export function asksForTls(urls: readonly string[]): boolean {
  return urls.some((url) => url.startsWith('tls:'));
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
