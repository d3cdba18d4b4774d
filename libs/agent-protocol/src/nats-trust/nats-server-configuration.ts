import type { NatsServerFiles } from './account-claims.js';
import { isLoopback } from './nats-url.js';

export interface NatsServerOptions {
  readonly host: string;
  readonly port: number;
  /** An absolute folder for JetStream data and account JWTs. No other program may use it. */
  readonly dataFolder: string;
  readonly pidFile?: string;
  /** If absent, the port accepts only plaintext. The server accepts TLS 1.2 and newer. */
  readonly tls?: NatsCertificate;
  /** A listener for WebSocket. If absent, the server has none. */
  readonly webSocket?: NatsWebSocket;
  /** A port on 127.0.0.1 at which the server reports its state over HTTP. */
  readonly monitoringPort?: number;
}

/** Paths of PEM files. `nats-server --signal reload` reads them again. */
export interface NatsCertificate {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface NatsWebSocket {
  readonly host: string;
  readonly port: number;
  /**
   * If absent, the listener uses no TLS. A reverse proxy must then end TLS on this machine, so the host must be
   * a loopback address.
   */
  readonly tls?: NatsCertificate;
}

/** The server's default of 2 s is too short for a client on a busy machine, or behind a slow link. */
const SIGN_IN_SECONDS = 30;

/**
 * Returns the text of a nats-server configuration in operator mode, with JetStream and a resolver that stores
 * the account JWTs that are pushed to it.
 * @throws RangeError if a listener for WebSocket would have no TLS on an address that other machines can reach
 */
export function natsServerConfiguration(files: NatsServerFiles, options: NatsServerOptions): string {
  const { pidFile, tls, webSocket, monitoringPort } = options;
  const parts = [
    `host: ${quote(options.host)}`,
    `port: ${options.port}`,
    pidFile === undefined ? [] : `pid_file: ${quote(pidFile)}`,
    'max_payload: 4MB',
    `authorization: { timeout: ${SIGN_IN_SECONDS} }`,
    trustBlock(files, options.dataFolder),
    `jetstream: { store_dir: ${quote(`${options.dataFolder}/jetstream`)} }`,
    tls === undefined ? [] : tlsBlock(tls),
    webSocket === undefined ? [] : webSocketBlock(webSocket),
    monitoringPort === undefined ? [] : `http: "127.0.0.1:${monitoringPort}"`,
  ];
  return `${parts.flat().join('\n')}\n`;
}

function trustBlock(files: NatsServerFiles, dataFolder: string): string {
  return `operator: ${files.operatorJwt}
system_account: ${files.systemAccountPublicKey}
resolver: {
  type: full
  dir: ${quote(`${dataFolder}/accounts`)}
  allow_delete: false
}
resolver_preload: {
  ${files.accountPublicKey}: ${files.accountJwt}
  ${files.agentAccountPublicKey}: ${files.agentAccountJwt}
  ${files.systemAccountPublicKey}: ${files.systemAccountJwt}
}`;
}

function tlsBlock({ certFile, keyFile }: NatsCertificate): string {
  return `tls: {
  cert_file: ${quote(certFile)}
  key_file: ${quote(keyFile)}
  timeout: ${SIGN_IN_SECONDS}
}`;
}

function webSocketBlock({ host, port, tls }: NatsWebSocket): string {
  if (tls === undefined && !isLoopback(host))
    throw new RangeError('expected a loopback address for a WebSocket listener without TLS');
  return `websocket: {
  host: ${quote(host)}
  port: ${port}
  handshake_timeout: "${SIGN_IN_SECONDS}s"
  ${tls === undefined ? 'no_tls: true' : tlsBlock(tls).replaceAll('\n', '\n  ')}
}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
