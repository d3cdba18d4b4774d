import type { PeerCertificate, TLSSocket } from 'node:tls';

import type { ConnectionFault } from './network-fault.js';

/** Facts that a server showed in its TLS handshake. Texts are shortened and free of control characters. */
export interface TlsFacts {
  /** Version of the protocol, such as `TLSv1.3`. */
  readonly protocol: string;
  readonly issuer: string;
  /** Host names and addresses for which the certificate is valid. */
  readonly names: string;
  readonly validFrom: Date;
  readonly validUntil: Date;
}

/** Reads the facts of an open TLS connection. */
export function tlsFacts(socket: TLSSocket): TlsFacts {
  const certificate = socket.getPeerCertificate();
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    issuer: issuerOf(certificate),
    names: namesOf(certificate),
    validFrom: new Date(certificate.valid_from),
    validUntil: new Date(certificate.valid_to),
  };
}

/**
 * Checks the server's certificate on a TLS connection that was opened with `rejectUnauthorized: false`.
 *
 * @param host the name or address that the certificate must contain
 * @returns undefined if Node.js would accept the certificate
 */
export function certificateFault(socket: TLSSocket, host: string): ConnectionFault | undefined {
  if (socket.authorized) return undefined;
  // The declared type is Error, but Node.js stores the code.
  const code = String(socket.authorizationError);
  const certificate = socket.getPeerCertificate();
  if (code === 'CERT_HAS_EXPIRED')
    return {
      cause: 'expired',
      message: `the certificate has expired (${shown(certificate.valid_to)}); renew it, or correct the clock of this machine`,
    };
  if (code === 'CERT_NOT_YET_VALID')
    return {
      cause: 'not_yet_valid',
      message: `the certificate is not valid before ${shown(certificate.valid_from)}; correct the clock of this machine`,
    };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return {
      cause: 'wrong_name',
      message: `the certificate is not for ${shown(host)}, but for ${namesOf(certificate)}; use one of its names`,
    };
  return {
    cause: 'untrusted',
    message: `the certificate is not trusted (${shown(code)}, issuer "${issuerOf(certificate)}"); set UNDERSTUDY_CA_FILE to a file with the certificate of its issuer`,
  };
}

function namesOf(certificate: PeerCertificate): string {
  const names = (certificate.subjectaltname ?? '')
    .split(', ')
    .map((name) => name.replace(/^(DNS|IP Address):/, ''));
  return shown(names.filter((name) => name !== '').join(', ')) || 'no name';
}

function issuerOf(certificate: PeerCertificate): string {
  const { CN, O } = certificate.issuer;
  return shown([CN ?? O ?? ''].flat()[0] ?? '');
}

/** Returns at most 100 characters of a text that a server chose, without control characters. */
function shown(text: string): string {
  const clean = text.replace(/[^\x20-\x7e]/g, '?');
  return clean.length > 100 ? `${clean.slice(0, 99)}…` : clean;
}
