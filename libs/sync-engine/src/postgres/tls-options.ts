import { readFileSync } from 'node:fs';
import { type ConnectionOptions, rootCertificates } from 'node:tls';
import { environmentVariable } from '../config/environment-variable.js';
import type { SslMode } from '../connection/encryption.js';

/** What pg is told, by `sslmode`; false: not encrypted. */
export function tlsOptions(mode: SslMode | undefined): ConnectionOptions | false {
  switch (mode) {
    case undefined:
      return false;
    case 'require':
      return { rejectUnauthorized: false };
    case 'verify-ca':
      return { checkServerIdentity: () => undefined };
    case 'verify-full':
      return {};
  }
}

/** The authorities Node trusts in this process, as PEM, for the tools that are not Node. */
export function trustedAuthorities(): string {
  const file = environmentVariable(EXTRA_AUTHORITIES);
  const extra = file === undefined || file === '' ? [] : [readFileSync(file, 'utf8')];
  return [...rootCertificates, ...extra].join('\n');
}

/** Read by Node itself when a process starts. */
export const EXTRA_AUTHORITIES = 'NODE_EXTRA_CA_CERTS';
