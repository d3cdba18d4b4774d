import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LocalSystemError, type Programs } from '@understudy/local-system';

/** Path of the checkout that this program belongs to. */
export const CHECKOUT = resolve(import.meta.dirname, '../../../..');

const FOLDERS = {
  agent: join(CHECKOUT, 'apps/agent/dist/bundle'),
  'control-plane': join(CHECKOUT, 'apps/control-plane/dist/bundle'),
};

/** @throws LocalSystemError if the checkout is not built */
export function programFile(app: 'control-plane' | 'agent', file: 'main.js' | 'cli.js'): string {
  const path = join(FOLDERS[app], file);
  if (existsSync(path)) return path;
  throw new LocalSystemError('configuration.invalid', `${path} does not exist`, 'build first: npm run build');
}

/** Returns the programs of this checkout. @throws LocalSystemError if it is not built */
export function checkoutPrograms(): Required<Programs> {
  const program = (app: 'control-plane' | 'agent') => ({
    command: process.execPath,
    args: [programFile(app, 'cli.js')],
  });
  return { controlPlane: program('control-plane'), agent: program('agent') };
}
