import { on } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { certificateFault } from './certificate-fault.js';
import { type ConnectionFault, networkFault, ProbeError } from './network-fault.js';

export interface ProbeOptions {
  /** Time limit of each step (name and TCP, first line, TLS) in milliseconds. The default is 10,000. */
  readonly timeoutMs?: number;
  /** Trusted certificate authorities in PEM, instead of those of Node.js. */
  readonly ca?: string;
}

/**
 * Finds out why a server cannot be reached. Resolves its name and opens a TCP connection. If the protocol of
 * the URL uses TLS, also completes a TLS handshake. Sends nothing else, and closes the connection.
 *
 * @param url a URL with the protocol `https:`, `wss:`, `http:`, `ws:`, `tls:` or `nats:`
 * @returns the first fault, or undefined if a connection could be opened
 */
export async function findConnectionFault(
  url: string,
  { timeoutMs = 10_000, ca }: ProbeOptions = {},
): Promise<ConnectionFault | undefined> {
  const { protocol, host, port } = serverOf(url);
  const isNats = protocol === 'tls:' || protocol === 'nats:';
  let socket: Socket | undefined;
  try {
    socket = connect(port, host);
    await within(timeoutMs, opened(socket, 'connect'));
    if (isNats) {
      const isEncrypted = await within(timeoutMs, offersTls(socket));
      if (protocol === 'tls:' && !isEncrypted) throw new ProbeError('no_tls');
    }
    if (!ENCRYPTED.has(protocol)) return undefined;
    const encrypted = connectTls({
      socket,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
      rejectUnauthorized: false, // certificateFault judges the certificate, and nothing is sent
    });
    await within(timeoutMs, opened(encrypted, 'secureConnect'));
    return certificateFault(encrypted, host);
  } catch (error) {
    return networkFault(error);
  } finally {
    socket?.destroy();
  }
}

/** Returns the protocol, the host without brackets, and the port of a URL. */
export function serverOf(url: string): { protocol: string; host: string; port: number } {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return { protocol, host, port: Number(port || (DEFAULT_PORTS[protocol] ?? 443)) };
}

/** Waits until the socket emits the event. */
function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve).on('error', reject);
    socket.once('close', () => {
      reject(new ProbeError('closed'));
    });
  });
}

/** Reads the line that a NATS server sends first, and returns whether the server offers TLS after this line. */
async function offersTls(socket: Socket): Promise<boolean> {
  let text = '';
  for await (const [chunk] of on(socket, 'data', { close: ['close'] })) {
    text += (chunk as Buffer).toString('latin1');
    const line = /^INFO (\{.*\})\s*\r\n/.exec(text)?.[1];
    if (line !== undefined) {
      const { tls_required, tls_available } = parseObject(line);
      return tls_required === true || tls_available === true;
    }
    if (text.includes('\n') || text.length > LONGEST_INFO) break;
  }
  throw new ProbeError(text === '' ? 'closed' : 'not_nats');
}

function parseObject(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    throw new ProbeError('not_nats');
  }
}

/** @throws ProbeError `timed_out` */
function within<T>(timeoutMs: number, step: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ProbeError('timed_out'));
    }, timeoutMs);
  });
  return Promise.race([step, limit]).finally(() => {
    clearTimeout(timer);
  });
}

/** The largest number of bytes of a NATS server's first line. */
const LONGEST_INFO = 65_536;
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'ws:': 80,
  'tls:': 4222,
  'nats:': 4222,
};
const ENCRYPTED = new Set(['https:', 'wss:', 'tls:']);
