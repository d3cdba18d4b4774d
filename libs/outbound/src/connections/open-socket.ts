import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

import type { Proxy } from '../settings/proxy.js';
import type { TrustOptions } from '../settings/trusted-authorities.js';

/** The proxy did not open a connection to the server. */
export class ProxyError extends Error {
  /** @param status the proxy's response to CONNECT; undefined if the proxy could not be reached */
  constructor(
    readonly proxy: Proxy,
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(
      status === undefined
        ? `the proxy ${proxy.host}:${proxy.port} cannot be reached`
        : `the proxy ${proxy.host}:${proxy.port} refused the connection with status ${status}`,
      options,
    );
    this.name = 'ProxyError';
  }
}

/** Opens a TCP connection. Resolves the host's name on each call. */
export async function openTcp(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true, keepAlive: true });
  await opened(socket, 'connect', signal);
  return socket;
}

/**
 * Opens a connection to a server through an HTTP proxy with the method CONNECT. The proxy resolves the host's
 * name.
 * @throws ProxyError
 */
export async function openTunnel(
  { proxy, trust }: { proxy: Proxy; trust: TrustOptions },
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const connection = await toProxy(proxy, trust, signal);
  const request = requestHttp({
    createConnection: () => connection,
    method: 'CONNECT',
    path: authority,
    headers: {
      host: authority,
      ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }),
    },
  });
  request.end();
  const [response, socket, head] = (await once(request, 'connect', { signal }).catch((cause: unknown) => {
    request.on('error', ignore).destroy();
    throw new ProxyError(proxy, undefined, { cause });
  })) as [{ statusCode?: number }, Socket, Buffer];
  const { statusCode = 0 } = response;
  if (statusCode < 200 || statusCode > 299) {
    socket.on('error', ignore).destroy();
    throw new ProxyError(proxy, statusCode);
  }
  if (head.length > 0) socket.unshift(head);
  return socket.setNoDelay(true).setKeepAlive(true);
}

async function toProxy(proxy: Proxy, trust: TrustOptions, signal: AbortSignal): Promise<Socket> {
  try {
    const socket = await openTcp(proxy.host, proxy.port, signal);
    return proxy.tls ? await startTls(socket, proxy.host, trust, signal) : socket;
  } catch (cause) {
    throw new ProxyError(proxy, undefined, { cause });
  }
}

/**
 * Starts TLS on a connection and checks the server's certificate. Destroys the connection if this fails.
 * @param host the name or address that the certificate must contain
 */
export async function startTls(
  socket: Socket,
  host: string,
  options: TrustOptions & { readonly ALPNProtocols?: string[] },
  signal: AbortSignal,
): Promise<TLSSocket> {
  const encrypted = connectTls({
    ...options,
    socket,
    host, // Node.js compares the certificate with this if there is no servername
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: true,
  });
  await opened(encrypted, 'secureConnect', signal);
  return encrypted;
}

async function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  try {
    await once(socket, event, { signal });
  } catch (error) {
    socket.on('error', ignore).destroy();
    signal.throwIfAborted();
    throw error;
  }
}

/** Ignores errors of a connection that is no longer used. */
function ignore(): void {}
