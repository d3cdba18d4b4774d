import { relative } from 'node:path';

import { ConfigurationError } from '../config/environment.js';

/**
 * Returns a ConfigurationError if the file system refused access to a file in the state folder. Returns any other
 * error unchanged.
 */
export function explainStateError(error: unknown, stateDir: string): unknown {
  const cause = (error as { cause?: unknown } | undefined)?.cause ?? error;
  const { code, path } = cause as { code?: string; path?: string };
  if (code === undefined || path === undefined) return error;
  const within = relative(stateDir, path);
  const remedy = REMEDIES[code];
  if (remedy === undefined || within.startsWith('..')) return error;
  const what = within === '' ? 'the folder' : `"${within}" in the folder`;
  return new ConfigurationError('The agent cannot use its state folder', [
    `UNDERSTUDY_AGENT_STATE_DIR: ${what} ${remedy} (${code})`,
  ]);
}

const NOT_ACCESSIBLE =
  'is not accessible to this user: run the agent as the owner, or change the owner of the folder and its files';

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: NOT_ACCESSIBLE,
  EPERM: NOT_ACCESSIBLE,
  EROFS: 'is on a read-only file system: mount it writable',
  EEXIST: 'is a file: name a folder',
  ENOTDIR: 'has a file in its path: name a folder',
};
