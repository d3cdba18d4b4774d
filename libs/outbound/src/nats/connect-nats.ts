import { setTimeout as sleep } from 'node:timers/promises';

import type { Authenticator, NatsConnection } from '@nats-io/nats-core';
import type { Server } from '@nats-io/nats-core/internal';
import { ACCEPTED_NATS_URLS, isAcceptedNatsUrl } from '@understudy/agent-protocol/nats-trust';

import type { Outbound } from '../outbound.js';
import { openNats } from './open-nats.js';
import { type StreamOptions, StreamTransport } from './stream-transport.js';

export interface NatsOptions {
  /** Addresses that `isAcceptedNatsUrl` accepts. */
  readonly urls: readonly string[];
  /** Name of the connection in the server's monitoring. */
  readonly name: string;
  readonly authenticator: Authenticator;
  readonly inboxPrefix?: string;
  /** Whether to connect only to `urls`, and not to further servers that the server announces. */
  readonly onlyTheseUrls?: boolean;
  /** Returns the pause before the next attempt in milliseconds. The default is about 0.5 s. */
  readonly retryDelayMs?: () => number;
  /** Receives the reason of each failed attempt until the first connection is open. */
  readonly onFailure?: (error: Error) => void;
  /** Ends the attempts to open the first connection. */
  readonly signal?: AbortSignal;
}

/**
 * A ping every 5 s, and at most two without a response: a silently dropped connection is noticed after 10 to
 * 15 s.
 */
export const PINGS = Object.freeze({ pingInterval: 5_000, maxPingOut: 2 });

/**
 * Connects to NATS with TLS (`tls://`), over WebSocket (`wss://`), or in plain text on loopback (`nats://`).
 * Retries without limit, also after the connection was lost. Each attempt resolves the name and reads the
 * trusted authorities again.
 * @throws TypeError if an address is not accepted
 */
export async function connectNats(outbound: Outbound, options: NatsOptions): Promise<NatsConnection> {
  const { urls, signal, onFailure, retryDelayMs = defaultDelayMs } = options;
  if (urls.length === 0 || !urls.every(isAcceptedNatsUrl))
    throw new TypeError(`a NATS address must be ${ACCEPTED_NATS_URLS}`);
  // Commands that need no NATS start faster without the library.
  const { NatsConnectionImpl, setTransportFactory } = await import('@nats-io/nats-core/internal');
  // The library keeps one factory for the process, so each connection passes its own way to open streams.
  setTransportFactory({ factory: () => new StreamTransport() });
  for (;;) {
    signal?.throwIfAborted();
    try {
      const connection = await NatsConnectionImpl.connect(clientOptions(outbound, options));
      if (signal?.aborted === true) await connection.close();
      else return connection;
    } catch (error) {
      onFailure?.(error instanceof Error ? error : new Error(String(error)));
      await sleep(retryDelayMs(), undefined, signal === undefined ? {} : { signal });
    }
  }
}

/** Sends the remaining messages and closes the connection. Waits at most 2 s, because NATS may be unreachable. */
export async function closeNats(connection: NatsConnection | undefined): Promise<void> {
  if (connection === undefined) return;
  await within2s(connection.drain());
  await connection.close().catch(ignoreClosed);
}

/**
 * Replaces the connection on purpose. Waits up to 2 s until NATS has received what was sent, because a replaced
 * connection drops the rest.
 */
export async function replaceNats(connection: NatsConnection): Promise<void> {
  await within2s(connection.flush());
  await connection.reconnect().catch(ignoreClosed);
}

async function within2s(sent: Promise<void>): Promise<void> {
  await Promise.race([sent.catch(ignoreClosed), sleep(2_000, undefined, { ref: false })]);
}

/** Ignores the error of a connection that is already closed or disconnected, because it can send no more messages. */
function ignoreClosed(): void {}

function clientOptions(
  outbound: Outbound,
  { urls, name, authenticator, ...rest }: NatsOptions,
): StreamOptions {
  const [first = ''] = urls;
  return {
    servers: urls.map(withPort),
    name,
    authenticator,
    ...(rest.inboxPrefix === undefined ? {} : { inboxPrefix: rest.inboxPrefix }),
    // Servers that NATS announces have other addresses than a proxy in front of them.
    ignoreClusterUpdates: rest.onlyTheseUrls === true || first.startsWith('wss:'),
    maxReconnectAttempts: -1,
    // A refusal is not final: the credentials, or the server's knowledge of them, may change.
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: rest.retryDelayMs ?? defaultDelayMs,
    timeout: ATTEMPT_MS,
    ...PINGS,
    openStream: (server, signal) => openNats(outbound, addressOf(server, first), signal),
  };
}

/** Adds the default port, because the library assumes 4222 for each protocol. */
function withPort(url: string): string {
  const { protocol, host, port, pathname, search } = new URL(url);
  if (protocol !== 'wss:') return url;
  return `wss://${host}${port === '' ? ':443' : ''}${pathname}${search}`;
}

/** Returns the URL of a server. A server that NATS announced has no protocol, so it gets that of the first URL. */
function addressOf(server: Server & { tlsName?: string }, first: string): { url: string; tlsName: string } {
  const url = server.src.includes('://') ? server.src : `${new URL(first).protocol}//${server.src}`;
  return { url, tlsName: server.tlsName || server.hostname };
}

/** Random, so that the clients of a server that returns do not connect in step. */
function defaultDelayMs(): number {
  return 500 + 100 * Math.random();
}

/** Time limit of one attempt, from the name's resolution to the first response of NATS. */
const ATTEMPT_MS = 7_000;
