/** Stable name of the reason why a server cannot be reached. */
export type ConnectionCause =
  | 'name_not_found'
  | 'refused'
  | 'unreachable'
  | 'timed_out'
  | 'closed'
  | 'no_tls'
  | 'not_nats'
  | 'untrusted'
  | 'wrong_name'
  | 'expired'
  | 'not_yet_valid'
  | 'unknown';

export interface ConnectionFault {
  readonly cause: ConnectionCause;
  /** The cause and the remedy, without the address of the server. */
  readonly message: string;
}

/** Thrown by a step of the probe if only the cause is known. */
export class ProbeError extends Error {
  constructor(readonly reason: keyof typeof TEXTS) {
    super(reason);
    this.name = 'ProbeError';
  }
}

/** Describes an error of name resolution, TCP or TLS, or the cause of a {@link ProbeError}. */
export function networkFault(error: unknown): ConnectionFault {
  const code = String((error as { code?: unknown } | undefined)?.code ?? '');
  const cause = error instanceof ProbeError ? error.reason : (CAUSES[code] ?? 'unknown');
  return {
    cause,
    message:
      cause === 'unknown' && /^[A-Z0-9_]{1,60}$/.test(code) ? `${TEXTS.unknown} (${code})` : TEXTS[cause],
  };
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
};

const TEXTS = {
  name_not_found: 'the name cannot be resolved; check its spelling and the DNS of this machine',
  refused: 'the connection was refused; check the port, and that the server runs',
  unreachable: 'there is no route to the server; check the network of this machine',
  timed_out: 'no response in time; check that a firewall allows connections to this port',
  closed: 'the server or a firewall closed the connection',
  no_tls: 'the server does not use TLS on this port',
  not_nats: 'the server is not a NATS server',
  unknown: 'the connection failed',
} as const;
