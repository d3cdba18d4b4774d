import type { ConnectionOptions } from 'node:tls';
import type { SslMode } from './encryption.js';

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
