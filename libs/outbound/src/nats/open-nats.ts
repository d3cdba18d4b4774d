import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { startTls } from '../connections/open-socket.js';
import { type Outbound, serverOf } from '../outbound.js';
import { readInfo } from './read-info.js';

/** An open connection to a NATS server that has sent its first line. */
export interface NatsStream {
  readonly stream: Duplex;
  /** The first line and the bytes that followed. */
  readonly head: Buffer;
  readonly encrypted: boolean;
}

/** The server offers no TLS, but the URL demands it. */
export class NoTlsError extends Error {
  readonly code = 'NATS_WITHOUT_TLS';

  constructor() {
    super('the NATS server does not offer TLS');
    this.name = 'NoTlsError';
  }
}

/**
 * Opens a connection and reads the server's first line.
 * @param tlsName the name that the certificate must contain; by default the host of the URL
 */
export async function openNats(
  outbound: Outbound,
  { url, tlsName = serverOf(url).host }: { readonly url: string; readonly tlsName?: string },
  signal: AbortSignal,
): Promise<NatsStream> {
  const webSocket = url.startsWith('wss:');
  const plain = webSocket
    ? await openWebSocket(outbound, url, signal)
    : await outbound.openSocket(url, signal);
  try {
    const { line, rest, tlsRequired, tlsAvailable } = await readInfo(plain, signal);
    if (webSocket) return { stream: plain, head: Buffer.concat([line, rest]), encrypted: true };
    if (url.startsWith('tls:') && !tlsRequired && !tlsAvailable) throw new NoTlsError();
    if (!url.startsWith('tls:') && !tlsRequired)
      return { stream: plain, head: Buffer.concat([line, rest]), encrypted: false };
    // Bytes that precede the handshake are not protected, so they must not become messages.
    if (rest.length > 0) throw new Error('the NATS server sent data before the TLS handshake');
    const stream = await startTls(plain as Socket, tlsName, outbound.trust(), signal);
    return { stream, head: line, encrypted: true };
  } catch (error) {
    plain.on('error', ignore).destroy();
    throw error;
  }
}

async function openWebSocket(outbound: Outbound, url: string, signal: AbortSignal): Promise<Duplex> {
  const { createWebSocketStream, WebSocket } = await import('ws'); // commands without NATS start faster
  const socket = await outbound.openHttpSocket(url, signal);
  const webSocket = new WebSocket(url, {
    createConnection: () => socket,
    perMessageDeflate: false,
    followRedirects: false,
  });
  const stream = createWebSocketStream(webSocket);
  try {
    await new Promise<void>((resolve, reject) => {
      webSocket.once('open', resolve);
      stream.once('error', reject);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    return stream;
  } catch (error) {
    stream.on('error', ignore).destroy();
    socket.destroy();
    throw error;
  }
}

/** Ignores errors of a connection that is no longer used. */
function ignore(): void {}
