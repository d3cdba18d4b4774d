import { resolve } from 'node:path';

import { Command } from 'commander';

import { withManual } from '../manual.js';

interface InstallOptions {
  readonly controlUrl?: string;
  readonly name?: string;
  readonly caFile?: string;
  readonly print?: boolean;
  readonly root: string;
  readonly json?: boolean;
}

export function serviceCommand(): Command {
  const service = withManual(
    new Command('service')
      .description('Installs or uninstalls the agent as a service of systemd.')
      .helpOption('-h, --help', 'print this help, with examples')
      .helpCommand(false),
    {
      examples: [{ purpose: 'print the unit', run: 'understudy-agent service install --print' }],
      exitCodes: { 0: 'success' },
    },
  );
  for (const command of [installCommand(), uninstallCommand()])
    service.addCommand(command.copyInheritedSettings(service));
  return service;
}

function installCommand(): Command {
  return withManual(
    new Command('install')
      .description(
        'Installs the agent as a service: its user, its configuration and its unit. Only root can run it.',
      )
      .option('--control-url <url>', 'the URL of the API, with /v1; required for a new configuration')
      .option('--name <name>', 'the name of the agent in lists (default: agent)')
      .option('--ca-file <file>', 'a PEM file with certificate authorities to trust; it is copied')
      .option('--print', 'print the unit, and change nothing; any user can do this')
      .option('--root <folder>', 'install into this file system, such as the folder of an image', '/')
      .option('--json', 'print one JSON object {changes, next}')
      .helpOption('-h, --help', 'print this help, with examples')
      .action(install),
    {
      notes: [
        'The command reads the enrolment token from standard input. On a terminal, it asks for the token and does not show it. If the agent has a token or is enrolled, the command does not read one.',
        'Existing files keep their content, and the unit is replaced. You can repeat an interrupted installation, and you install again after an upgrade. To use a new token, remove the file enrolment-token first.',
        'The new policy allows no database. Edit policy.yaml before you start the service.',
      ],
      examples: [
        {
          purpose: 'install the agent, and type or paste the token when the command asks for it',
          run: 'understudy-agent service install --control-url https://understudy.example.com/v1 --name eu-1',
        },
        { purpose: 'replace the unit after an upgrade', run: 'understudy-agent service install' },
      ],
      exitCodes: {
        0: 'the service is installed',
        1: 'the user is not root, a required input is missing, or a step failed',
      },
    },
  );
}

async function install({ print, json, root, ...settings }: InstallOptions): Promise<void> {
  const { describeInstallation, nextCommands, unitText } = await import('@understudy/service-unit');
  const { AGENT_SERVICE } = await import('./agent-service.js');
  const program = { node: process.execPath, script: process.argv[1] ?? '' };
  if (print) return void process.stdout.write(unitText(AGENT_SERVICE, program));
  await reportingFailure(async () => {
    const { installAgent } = await import('./install-agent.js');
    const request = { ...settings, root: resolve(root), program };
    const changes = await installAgent(request);
    const next = [
      'runuser -u understudy-agent -- understudy-agent --config /etc/understudy-agent/agent.env check',
      ...nextCommands(AGENT_SERVICE, changes),
    ];
    return json ? [JSON.stringify({ changes, next })] : describeInstallation(changes, next);
  });
}

function uninstallCommand(): Command {
  return withManual(
    new Command('uninstall')
      .description('Stops the service, and removes its unit and its user. Only root can run it.')
      .option('--root <folder>', 'uninstall from this file system, such as the folder of an image', '/')
      .option('--json', 'print one JSON object {removed, left}')
      .helpOption('-h, --help', 'print this help, with examples')
      .action(uninstall),
    {
      notes: [
        'The configuration and the state folder stay, and only root can read them. The command prints their names. The state folder contains the identity and the masking key of the agent.',
        'Revoke the agent on the control plane too.',
      ],
      examples: [{ purpose: 'remove the service', run: 'understudy-agent service uninstall' }],
      exitCodes: {
        0: 'the service is uninstalled',
        1: 'the user is not root, a process of the service still runs, or a step failed',
      },
    },
  );
}

async function uninstall({ root, json }: { root: string; json?: boolean }): Promise<void> {
  const { describeUninstallation, uninstallService } = await import('@understudy/service-unit');
  const { AGENT_SERVICE } = await import('./agent-service.js');
  await reportingFailure(() => {
    const result = uninstallService(AGENT_SERVICE, resolve(root));
    return Promise.resolve(json ? [JSON.stringify(result)] : describeUninstallation(result));
  });
}

/** Prints the lines that `work` returns. A failure that the operator can correct sets the exit code 1. */
async function reportingFailure(work: () => Promise<readonly string[]>): Promise<void> {
  const { ServiceError } = await import('@understudy/service-unit');
  try {
    for (const line of await work()) process.stdout.write(`${line}\n`);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
