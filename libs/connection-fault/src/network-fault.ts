import { NoTlsError, NotNatsError, ProxyError } from '@understudy/outbound';

/** Stable name of the reason why a server cannot be reached. */
export type ConnectionCause =
  | keyof typeof TEXTS
  | 'proxy_unreachable'
  | 'proxy_refused'
  | 'proxy_credentials'
  | 'no_websocket'
  | 'ca_file'
  | 'untrusted'
  | 'wrong_name'
  | 'expired'
  | 'not_yet_valid';

export interface ConnectionFault {
  readonly cause: ConnectionCause;
  /** The cause and the remedy, without the address of the server. */
  readonly message: string;
}

/** Describes an error of name resolution, a proxy, TCP, TLS, WebSocket or the first line of NATS. */
export function networkFault(error: unknown): ConnectionFault {
  if (error instanceof ProxyError) return proxyFault(error);
  if (error instanceof Error && error.name === 'CaFileError')
    return { cause: 'ca_file', message: error.message };
  const status = /^Unexpected server response: (\d{3})$/.exec(
    (error as Error | undefined)?.message ?? '',
  )?.[1];
  if (status !== undefined)
    return {
      cause: 'no_websocket',
      message: `the server answered the WebSocket request with status ${status}; check the path of the URL, and that the web server passes it on to NATS`,
    };
  const code = String((error as { code?: unknown } | undefined)?.code ?? '');
  const cause = causeOf(error, code);
  return {
    cause,
    message:
      cause === 'unknown' && /^[A-Z0-9_]{1,60}$/.test(code) ? `${TEXTS.unknown} (${code})` : TEXTS[cause],
  };
}

/** Returns the fault of a server that accepted a connection, and sent nothing in time. */
export function silentFault(): ConnectionFault {
  return { cause: 'silent', message: TEXTS.silent };
}

function proxyFault({ proxy, status, cause }: ProxyError): ConnectionFault {
  const name = `the proxy ${proxy.host}:${proxy.port}`;
  if (status === undefined)
    return {
      cause: 'proxy_unreachable',
      message: `${name} cannot be reached: ${networkFault(cause).message}; check HTTPS_PROXY`,
    };
  if (status === 407)
    return {
      cause: 'proxy_credentials',
      message: `${name} ${proxy.authorization === undefined ? 'requires credentials' : 'refused the credentials'} (status 407); set them in HTTPS_PROXY, as in http://user:password@host:port`,
    };
  return {
    cause: 'proxy_refused',
    message: `${name} refused to connect to the server (status ${status}); allow the server's name and port there, or add the name to NO_PROXY`,
  };
}

function causeOf(error: unknown, code: string): keyof typeof TEXTS {
  if (error instanceof NotNatsError) return error.reason;
  if (error instanceof NoTlsError) return 'no_tls';
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return 'timed_out';
  return CAUSES[code] ?? 'unknown';
}

const CAUSES: Readonly<Record<string, keyof typeof TEXTS>> = {
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timed_out',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no_tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no_tls',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'old_tls',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'old_tls',
};

const TEXTS = {
  name_not_found: 'the name cannot be resolved; check its spelling and the DNS of this machine',
  refused: 'the connection was refused; check the port, and that the server runs',
  unreachable: 'there is no route to the server; check the network of this machine',
  timed_out: 'no response in time; check that a firewall allows connections to this port',
  silent: 'the server accepts connections, but does not respond; check its load and its log',
  closed: 'the server or a firewall closed the connection',
  no_tls: 'the server does not use TLS on this port',
  old_tls: 'the server supports only TLS versions before 1.2; update it',
  not_nats: 'the server is not a NATS server',
  unknown: 'the connection failed',
} as const;
