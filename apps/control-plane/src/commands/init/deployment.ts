import { isLoopback, type NatsServerOptions } from '@understudy/agent-protocol/nats-trust';

/** The choices of the operator. Paths are absolute, and URLs are valid. */
export interface DeploymentOptions {
  readonly folder: string;
  /** The origin at which clients and agents reach the API. */
  readonly publicUrl: string;
  readonly natsUrl?: string;
  readonly natsPublicUrl?: string;
  readonly natsFolder: string;
  /** The certificate of NATS. If absent, NATS listens only on loopback, without TLS. */
  readonly natsTls?: CertificatePaths;
  /** The certificate of the reverse proxy. */
  readonly proxyTls?: CertificatePaths;
  readonly port: number;
  readonly opsPort: number;
  readonly websocketPort: number;
  readonly monitoringPort: number;
  readonly caFile?: string;
  readonly allowPlaintext: readonly string[];
}

export interface CertificatePaths {
  readonly certFile: string;
  readonly keyFile: string;
}

/** All settings of a deployment: the options, with the values that follow from them. */
export interface Deployment extends DeploymentOptions {
  readonly natsUrl: string;
  readonly natsPublicUrl: string;
  readonly natsServer: NatsServerOptions;
  readonly proxyTls: CertificatePaths;
  /** Whether Caddy requests a public certificate by itself. */
  readonly requestsCertificate: boolean;
  /** Whether agents reach NATS through the reverse proxy, over WebSocket. */
  readonly usesWebSocket: boolean;
}

/**
 * Completes the options. Without a certificate for NATS, agents reach NATS through the reverse proxy at the path
 * `/nats` of the public URL. If the public URL is on loopback, agents are on this machine and need no proxy.
 */
export function deploymentOf(options: DeploymentOptions): Deployment {
  const { natsTls } = options;
  const { protocol, hostname, host } = new URL(options.publicUrl);
  const natsUrl = options.natsUrl ?? (natsTls ? `tls://${hostname}:4222` : 'nats://127.0.0.1:4222');
  const natsPublicUrl =
    options.natsPublicUrl ?? (natsTls || protocol === 'http:' ? natsUrl : `wss://${host}/nats`);
  const usesWebSocket = natsPublicUrl.startsWith('wss:');
  return {
    ...options,
    natsUrl,
    natsPublicUrl,
    usesWebSocket,
    requestsCertificate: options.proxyTls === undefined,
    proxyTls: options.proxyTls ?? PROXY_TLS,
    natsServer: {
      host: natsTls ? '0.0.0.0' : '127.0.0.1',
      port: portOf(natsUrl),
      dataFolder: options.natsFolder,
      ...(natsTls ? { tls: natsTls } : {}),
      ...(usesWebSocket ? { webSocket: { host: '127.0.0.1', port: options.websocketPort } } : {}),
      monitoringPort: options.monitoringPort,
    },
  };
}

/** The certificate that the examples name if the operator gives none. The guides use the same folder. */
const PROXY_TLS: CertificatePaths = {
  certFile: '/etc/ssl/understudy/understudy.crt',
  keyFile: '/etc/ssl/understudy/understudy.key',
};

/**
 * Returns the port of the listener. A `wss://` URL has the port of the reverse proxy instead. An invalid URL is reported
 * when the whole configuration is checked.
 */
function portOf(natsUrl: string): number {
  if (!URL.canParse(natsUrl)) return DEFAULT_NATS_PORT;
  const { protocol, port } = new URL(natsUrl);
  return protocol === 'wss:' || port === '' ? DEFAULT_NATS_PORT : Number(port);
}

const DEFAULT_NATS_PORT = 4222;

/** Returns why a text cannot be the public URL, or undefined if it can. */
export function publicUrlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === undefined || !isSafe) return 'Expected https://, or http:// with a loopback address.';
  if (
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.pathname !== '/'
  )
    return 'Expected only a protocol, a host and a port, such as https://understudy.example.com.';
  return undefined;
}
