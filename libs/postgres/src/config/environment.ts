import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** Returns an environment variable. No other file of this library reads the environment. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}

/** Returns the certificate authorities that Node trusts, as PEM, for the programs of PostgreSQL. */
export function trustedAuthorities(): string {
  const file = environmentVariable(EXTRA_AUTHORITIES);
  const extra = file === undefined || file === '' ? [] : [readFileSync(file, 'utf8')];
  return [...rootCertificates, ...extra].join('\n');
}

/** The variable with the path of a file that adds certificate authorities. Node reads the file at its start. */
export const EXTRA_AUTHORITIES = 'NODE_EXTRA_CA_CERTS';
