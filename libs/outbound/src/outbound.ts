import type { Socket } from 'node:net';

import { openTcp, openTunnel, startTls } from './connections/open-socket.js';
import { fetchOver, type FetchOptions } from './connections/fetch.js';
import type { OutboundSettings } from './settings/outbound-settings.js';
import { bypassesProxy, type Proxy } from './settings/proxy.js';
import { TrustedAuthorities, type TrustOptions } from './settings/trusted-authorities.js';

/** Opens this program's connections to other machines, with its trusted authorities and its proxy. */
export class Outbound {
  private readonly authorities: TrustedAuthorities;

  /** @param warn receives a sentence if UNDERSTUDY_CA_FILE becomes unusable while the program runs */
  constructor(
    private readonly settings: OutboundSettings = {},
    warn?: (problem: string) => void,
  ) {
    this.authorities = new TrustedAuthorities(settings, warn);
  }

  /** Returns the TLS options for a new connection: minimum version and trusted authorities. */
  trust(): TrustOptions {
    return this.authorities.options();
  }

  /** Returns the proxy for a URL. It is undefined for protocols other than `https:` and `wss:`. */
  proxyFor(url: string): Proxy | undefined {
    const { protocol, host } = serverOf(url);
    if (this.settings.proxy === undefined || !PROXIED.has(protocol)) return undefined;
    return bypassesProxy(host, this.settings.noProxy ?? '') ? undefined : this.settings.proxy;
  }

  /**
   * Opens a connection to the server of a URL, through the proxy if there is one for it. Does not start TLS.
   * @throws ProxyError, or an error with a code of Node.js
   */
  openSocket(url: string, signal: AbortSignal): Promise<Socket> {
    const { host, port } = serverOf(url);
    const proxy = this.proxyFor(url);
    if (proxy === undefined) return openTcp(host, port, signal);
    return openTunnel({ proxy, trust: this.trust() }, host, port, signal);
  }

  /** Opens a connection for HTTP or WebSocket. Starts TLS if the protocol of the URL is `https:` or `wss:`. */
  async openHttpSocket(url: string, signal: AbortSignal): Promise<Socket> {
    const { protocol, host } = serverOf(url);
    const socket = await this.openSocket(url, signal);
    if (!PROXIED.has(protocol)) return socket;
    return startTls(socket, host, { ...this.trust(), ALPNProtocols: ['http/1.1'] }, signal);
  }

  /**
   * Sends one HTTP request over a connection of its own, which is closed after the response. Does not follow
   * redirects. The protocol is `https:`, or `http:` without a proxy.
   * @throws Error if there is no response. Its code is one of Node.js, or it is a ProxyError
   */
  fetch(url: string, options: FetchOptions = {}): Promise<Response> {
    return fetchOver((signal) => this.openHttpSocket(url, signal), url, options);
  }
}

/** Returns the protocol, the host without brackets, and the port of a URL. */
export function serverOf(url: string): { protocol: string; host: string; port: number } {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return { protocol, host, port: Number(port || (DEFAULT_PORTS[protocol] ?? 443)) };
}

const PROXIED = new Set(['https:', 'wss:']);
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'ws:': 80,
  'tls:': 4222,
  'nats:': 4222,
};
