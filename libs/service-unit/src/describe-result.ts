import type { FileChange } from './protected-files.js';
import { type Service, unitPath } from './service.js';
import type { Uninstalled } from './uninstall-service.js';

/** Returns the commands that the operator runs after an installation, in order, without those of the program. */
export function nextCommands(service: Service, changes: readonly FileChange[]): string[] {
  const unit = changes.find(({ what }) => what === unitPath(service, '/'));
  return unit?.change === 'replaced'
    ? ['systemctl daemon-reload', `systemctl restart ${service.name}`]
    : [`systemctl enable --now ${service.name}`];
}

/** Returns a line for each change of an installation, and for each command that the operator runs next. */
export function describeInstallation(changes: readonly FileChange[], next: readonly string[]): string[] {
  return [
    ...changes.map(({ what, change }) => `${change.padEnd(8)}  ${what}`),
    'Next, run as root:',
    ...next.map((command) => `  ${command}`),
  ];
}

/** Returns a line for each removed and each remaining part, and the command that removes the remaining ones. */
export function describeUninstallation({ removed, left }: Uninstalled): string[] {
  return [
    ...removed.map((what) => `removed   ${what}`),
    ...left.map((what) => `left      ${what}`),
    ...(left.length === 0
      ? []
      : [
          'Back up what you need from the folders that are left, then remove them:',
          `  rm -r ${left.join(' ')}`,
        ]),
  ];
}
