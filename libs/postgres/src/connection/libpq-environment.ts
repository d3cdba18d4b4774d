import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectionTarget } from './connection-url.js';
import { trustedAuthorities } from '../config/environment.js';

/**
 * The whole environment of a program of PostgreSQL's that connects to the target. The password goes by it: an argument would show in the
 * process list. Messages are English, whatever the machine speaks.
 * @param folder private to the program's run; a file with authorities is put there when the server is to be verified
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
