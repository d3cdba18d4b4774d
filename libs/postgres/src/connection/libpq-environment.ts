import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectionTarget } from './connection-url.js';
import { trustedAuthorities } from '../config/environment.js';

/**
 * Returns the complete environment for a program of PostgreSQL that connects to a database. The environment
 * contains the password, because the arguments of a program appear in the process list. The environment also
 * makes the program print English messages in any locale of the machine.
 * @param folder a private folder for this run of the program. If the server must be verified, this function
 * writes a file with certificate authorities to it.
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
