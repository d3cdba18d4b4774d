import { resolve } from 'node:path';

import {
  describeInstallation,
  describeUninstallation,
  existingFiles,
  installService,
  nextCommands,
  requireRoot,
  type Service,
  ServiceError,
  uninstallService,
  unitText,
} from '@understudy/service-unit';
import { Command } from 'commander';

/** The control plane as a service of systemd. Its state is in PostgreSQL, so it has no state folder. */
const CONTROL_PLANE_SERVICE = {
  name: 'understudy-control-plane',
  description: 'Understudy control plane: the REST API and the dashboard',
  user: 'understudy',
  configFolder: '/etc/understudy',
  variablesFile: 'control-plane.env',
  startsAfter: ['postgresql.service', 'redis-server.service', 'nats-server.service'],
  preparations: ['migrate'],
  configurationExitCode: 2,
  settings: [],
} as const satisfies Service;

interface InstallOptions {
  readonly print?: true;
  readonly root: string;
  readonly json?: true;
}

/** Returns the command `service` with `install` and `uninstall`. */
export function serviceCommand(): Command {
  const service = new Command('service').description(
    'install or uninstall the control plane as a service of systemd',
  );
  service
    .command('install')
    .description('create the user and the unit, and give the user access to the configuration; only for root')
    .option('--print', 'print the unit, and change nothing; any user can do this')
    .option('--root <folder>', 'install into this file system, such as the folder of an image', '/')
    .option('--json', 'print one JSON object {changes, next}')
    .addHelpText(
      'after',
      '\nThe configuration must be in /etc/understudy; "init" writes it. Its files keep their content. The unit is\n' +
        'replaced, so install again after an upgrade.\n' +
        '\nExample:\n  $ understudy-control-plane service install',
    )
    .action(install);
  service
    .command('uninstall')
    .description('stop the service, and remove its unit and its user; only for root')
    .option('--root <folder>', 'uninstall from this file system, such as the folder of an image', '/')
    .option('--json', 'print one JSON object {removed, left}')
    .addHelpText(
      'after',
      '\nThe configuration stays, and only root can read it. The data in PostgreSQL, Redis and NATS stays too.\n' +
        '\nExample:\n  $ understudy-control-plane service uninstall',
    )
    .action(uninstall);
  return service;
}

function install({ print, root, json }: InstallOptions): void {
  const service = CONTROL_PLANE_SERVICE;
  const program = { node: process.execPath, script: process.argv[1] ?? '' };
  if (print) return void process.stdout.write(unitText(service, program));
  requireRoot(`${service.name} service install`);
  if (existingFiles(service, resolve(root), [service.variablesFile]).length === 0)
    throw new ServiceError(
      `expected the file ${service.variablesFile} in ${service.configFolder}: ` +
        `write the configuration with "${service.name} init --folder ${service.configFolder}" first`,
    );
  const changes = installService(service, { program, root: resolve(root), files: [] });
  const next = nextCommands(service, changes);
  printLines(json ? [JSON.stringify({ changes, next })] : describeInstallation(changes, next));
}

function uninstall({ root, json }: Omit<InstallOptions, 'print'>): void {
  const result = uninstallService(CONTROL_PLANE_SERVICE, resolve(root));
  printLines(json ? [JSON.stringify(result)] : describeUninstallation(result));
}

function printLines(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
