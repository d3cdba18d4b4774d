import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

import { NoTlsError, openNats, type Outbound, readInfo, serverOf } from '@understudy/outbound';

import { certificateFault, tlsFacts, type TlsFacts } from './certificate.js';
import { clockHint } from './clock-hint.js';
import { type ConnectionFault, networkFault, silentFault } from './network-fault.js';

export interface ProbeOptions {
  /** Time limit of each step (name, TCP with the proxy, first line, TLS, WebSocket) in ms. The default is 10,000. */
  readonly timeoutMs?: number;
}

/** The facts that a probe found, up to the first fault. */
export interface ServerProbe {
  readonly host: string;
  readonly port: number;
  /** Host and port of the proxy. It resolves the name, so `addresses` is empty. */
  readonly proxy?: string;
  /** The addresses of the name. */
  readonly addresses: readonly string[];
  /** Whether the server or the proxy accepted a connection. */
  readonly connected: boolean;
  /** Undefined if there was no handshake. Also set if the certificate has a fault. */
  readonly tls?: TlsFacts;
  /** Undefined if a connection can be opened. */
  readonly fault?: ConnectionFault;
}

/**
 * Finds out whether a server can be reached. Resolves its name, opens a connection, and completes a TLS handshake if
 * the URL demands one. Uses the proxy if there is one for the URL. With `wss:`, also starts a WebSocket.
 * Sends no credentials except those of the proxy, and closes the connection.
 *
 * @param url a URL with the protocol `https:`, `wss:`, `http:`, `tls:` or `nats:`
 */
export async function probeServer(
  outbound: Outbound,
  url: string,
  { timeoutMs = 10_000 }: ProbeOptions = {},
): Promise<ServerProbe> {
  const { protocol, host, port } = serverOf(url);
  const proxy = outbound.proxyFor(url);
  const facts: { -readonly [Key in keyof ServerProbe]: ServerProbe[Key] } = {
    ...{ host, port, addresses: [], connected: false },
    ...(proxy === undefined ? {} : { proxy: `${proxy.host}:${proxy.port}` }),
  };
  let socket: Socket | undefined;
  try {
    if (proxy === undefined) facts.addresses = await addressesOf(host);
    socket = await outbound.openSocket(url, AbortSignal.timeout(timeoutMs));
    facts.connected = true;
    if (!(await mustEncrypt(protocol, socket, timeoutMs))) return facts;
    const encrypted = await handshake(outbound, socket, host, timeoutMs);
    facts.tls = tlsFacts(encrypted);
    const fault = certificateFault(encrypted, host);
    if (fault !== undefined) facts.fault = await clockHint(fault, encrypted, { protocol, host });
    else if (protocol === 'wss:') await tryWebSocket(outbound, url, timeoutMs);
  } catch (error) {
    const fault = networkFault(error);
    facts.fault = facts.connected && fault.cause === 'timed_out' ? silentFault() : fault;
  } finally {
    socket?.on('error', ignore).destroy();
  }
  return facts;
}

/** Returns the first fault that a probe finds, or undefined if a connection can be opened. */
export async function findConnectionFault(
  outbound: Outbound,
  url: string,
  options: ProbeOptions = {},
): Promise<ConnectionFault | undefined> {
  return (await probeServer(outbound, url, options)).fault;
}

async function addressesOf(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** Returns whether TLS follows. Reads the first line of a NATS server, which offers TLS or demands it there. */
async function mustEncrypt(protocol: string, socket: Socket, timeoutMs: number): Promise<boolean> {
  if (protocol !== 'tls:' && protocol !== 'nats:') return protocol === 'https:' || protocol === 'wss:';
  const { tlsRequired, tlsAvailable } = await readInfo(socket, AbortSignal.timeout(timeoutMs));
  if (protocol === 'tls:' && !tlsRequired && !tlsAvailable) throw new NoTlsError();
  return protocol === 'tls:' || tlsRequired;
}

async function handshake(
  outbound: Outbound,
  socket: Socket,
  host: string,
  timeoutMs: number,
): Promise<TLSSocket> {
  const encrypted = connectTls({
    ...outbound.trust(),
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: false, // certificateFault judges the certificate, and nothing secret is sent
  });
  await once(encrypted, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) }).finally(() =>
    encrypted.on('error', ignore),
  );
  return encrypted;
}

/** Opens a connection of its own, because the first one accepts each certificate. */
async function tryWebSocket(outbound: Outbound, url: string, timeoutMs: number): Promise<void> {
  const { stream } = await openNats(outbound, { url }, AbortSignal.timeout(timeoutMs));
  stream.on('error', ignore).destroy();
}

/** Ignores the errors of a connection that is only probed. */
function ignore(): void {}
