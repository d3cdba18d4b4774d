import type { SslMode } from './encryption.js';

/**
 * A database that policy admits, resolved and ready to dial. Holds a password: never logged; `display` is what may be. Plain data:
 * it is handed to the snapshot holder's process.
 */
export interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password?: string;
  /** Absent: the connection is not encrypted. */
  readonly sslMode?: SslMode;
  /** Without the password. */
  readonly display: string;
}
