import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { logTail } from '../processes/log-tail.js';
import { StackError } from '../stack-error.js';

export const SERVICES = ['postgres', 'redis', 'nats', 'control-plane', 'agent'];

export function printLogs(folder: string, service: string | undefined, lines: number): void {
  if (service !== undefined && !SERVICES.includes(service))
    throw new StackError(
      'configuration.invalid',
      `unknown service "${service}"; expected one of ${SERVICES.join(', ')}`,
    );
  const files = (service === undefined ? SERVICES : [service])
    .map((name) => join(folder, 'logs', `${name}.log`))
    .filter((file) => existsSync(file));
  if (files.length === 0)
    throw new StackError('stack.not_running', `found no logs in ${join(folder, 'logs')}`);
  for (const file of files) console.log(`${file}\n${logTail(file, lines)}\n`);
}
