import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectionTarget } from './connection-url.js';
import { trustedAuthorities } from '../config/environment.js';

/**
 * Returns the complete environment for a program of PostgreSQL that connects to a database. Contains the password,
 * because an argument would appear in the process list. Messages are in English in any locale of the machine.
 * @param folder a private folder for this run of the program; receives a file with certificate authorities if the server
 * must be verified
 */
export async function libpqEnvironment(
  target: ConnectionTarget,
  folder: string,
): Promise<Record<string, string>> {
  let tls: Record<string, string> = { PGSSLMODE: target.sslMode ?? 'disable' };
  if (target.sslMode === 'verify-ca' || target.sslMode === 'verify-full') {
    const file = join(folder, 'authorities.pem');
    await writeFile(file, trustedAuthorities());
    tls = { ...tls, PGSSLROOTCERT: file };
  }
  return {
    ...tls,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LC_ALL: 'C',
    PGHOST: target.host,
    PGPORT: String(target.port),
    PGDATABASE: target.database,
    PGUSER: target.user,
    PGCONNECT_TIMEOUT: '15',
    PGAPPNAME: 'understudy-agent',
    ...(target.password === undefined ? {} : { PGPASSWORD: target.password }),
  };
}
