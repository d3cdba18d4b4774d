import type { ConnectionOptions } from 'node:tls';

/** A database that policy admits, resolved and ready to dial. Holds a password: never logged; `display` is what may be. */
export interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password?: string;
  /** `true`: TLS with the certificate checked against the system's authorities. */
  readonly ssl?: boolean | ConnectionOptions;
  /** Without the password. */
  readonly display: string;
}
