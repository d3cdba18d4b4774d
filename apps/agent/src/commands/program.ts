import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { withConfigOption } from '@understudy/operator-commands';
import { Command } from 'commander';

import { cancelCommand } from './cancel/cancel-command.js';
import { checkCommand } from './check/check-command.js';
import { egressCommand } from './egress/egress-command.js';
import { grantsCommand } from './grants/grants-command.js';
import { serviceCommand } from './service/service-command.js';
import { startCommand } from './start/start-command.js';
import { statusCommand } from './status/status-command.js';
import { withManual } from './manual.js';

/**
 * Returns the program `understudy-agent` with all its commands. A command imports the code of its action only when it
 * runs, because health checks start `status` every few seconds.
 */
export function program(): Command {
  const root = withManual(
    withConfigOption(new Command('understudy-agent'))
      .description('The agent, and the commands of its operator.')
      .version(packageVersion(), '--version', 'print the version')
      .exitOverride()
      .helpOption('-h, --help', 'print this help, with examples')
      .helpCommand('help [command]', 'Prints the help of a command.')
      .showHelpAfterError('(run with --help to see the usage)'),
    {
      notes: [
        'Run the commands as the user and with the environment or the --config file of the agent.',
        '"understudy-agent <command> --help" prints the options of a command, with examples.',
      ],
      examples: [{ purpose: 'see whether the agent is connected', run: 'understudy-agent status' }],
      exitCodes: { 0: 'success' },
    },
  );
  const commands = [
    startCommand(),
    checkCommand(),
    statusCommand(),
    cancelCommand(),
    grantsCommand(),
    egressCommand(),
    serviceCommand(),
  ];
  for (const command of commands) root.addCommand(command.copyInheritedSettings(root));
  return root;
}

function packageVersion(): string {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
