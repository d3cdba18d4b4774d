import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LocalSystemError, logTail, type SystemInfo } from '@understudy/local-system';

/**
 * Prints how to use the stack.
 * @param dataDir the folder of the stack if the user named it, for the commands that are shown
 */
export function printStack(info: SystemInfo, dataDir?: string): void {
  const option = dataDir === undefined ? '' : ` --data-dir '${dataDir}'`;
  console.log(`
The stack is up.
  API        ${info.base_url}
  dashboard  ${new URL('/dashboard/', info.base_url).href}  (sign in with the token)
  token      ${info.api_token}
  ops page   ${info.ops_url}  (user ${info.ops_user}, password ${info.ops_password})
  databases  ${info.databases_url}/…
  superuser  ${info.databases_admin_url}/…
  logs       ${info.logs_dir}

Try:
  curl -sS ${info.base_url}/sync/jobs -H 'Authorization: Bearer ${info.api_token}'
  npm run stack -- psql${option} postgres
  npm run stack -- down${option}`);
}

export const SERVICES = ['postgres', 'redis', 'nats', 'control-plane', 'agent'];

export function printLogs(folder: string, service: string | undefined, lines: number): void {
  if (service !== undefined && !SERVICES.includes(service))
    throw new LocalSystemError(
      'configuration.invalid',
      `unknown service "${service}"; expected one of ${SERVICES.join(', ')}`,
    );
  const files = (service === undefined ? SERVICES : [service])
    .map((name) => join(folder, 'logs', `${name}.log`))
    .filter((file) => existsSync(file));
  if (files.length === 0)
    throw new LocalSystemError('system.not_running', `found no logs in ${join(folder, 'logs')}`);
  for (const file of files) console.log(`${file}\n${logTail(file, lines)}\n`);
}
