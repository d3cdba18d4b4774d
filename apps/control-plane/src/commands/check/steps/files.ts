import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';

import type { CheckReport } from '@understudy/operator-commands';

import type { Configuration } from '../../../platform/config/configuration.js';
import { SECRET_VARIABLES } from '../../../platform/config/variables.js';

/**
 * Checks that other users cannot read secrets. The files of the variables `*_FILE` are part of the configuration, which
 * was checked before.
 */
export function checkFiles(
  report: CheckReport,
  { http: { certificate } }: Configuration,
  configFile: string | undefined,
): void {
  const files = [
    ...(configFile !== undefined && containsSecret(configFile)
      ? [{ name: 'the file of --config', path: configFile }]
      : []),
    ...(certificate ? [{ name: 'the file of UNDERSTUDY_TLS_KEY_FILE', path: certificate.keyFile }] : []),
  ];
  const open = files.filter(({ path }) => (statSync(path).mode & 0o007) !== 0);
  for (const { name } of open)
    report.fail(
      'file modes',
      `every user of this machine can use ${name}, which contains a secret`,
      'run chmod o-rwx on it',
    );
  if (open.length === 0) report.ok('file modes', 'no other user can read the files with secrets');
}

function containsSecret(path: string): boolean {
  const variables = parseEnv(readFileSync(path, 'utf8'));
  return SECRET_VARIABLES.some((name) => Boolean(variables[name]));
}
