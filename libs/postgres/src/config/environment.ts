import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** The one place of this library that reads the environment. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}

/** The authorities Node trusts in this process, as PEM, for the tools that are not Node. */
export function trustedAuthorities(): string {
  const file = environmentVariable(EXTRA_AUTHORITIES);
  const extra = file === undefined || file === '' ? [] : [readFileSync(file, 'utf8')];
  return [...rootCertificates, ...extra].join('\n');
}

/** Read by Node itself when a process starts. */
export const EXTRA_AUTHORITIES = 'NODE_EXTRA_CA_CERTS';
