import { Command, CommanderError } from 'commander';
import { VariablesFileError, withConfigOption } from '@understudy/operator-commands';

import { PACKAGE_VERSION } from './agents/registry/enrolment/install-lines.js';
import { addAgentCommand } from './commands/agent/agent-command.js';
import { addApiCommands } from './commands/api/api-command.js';
import { addBootstrapCommand } from './commands/bootstrap/bootstrap-command.js';
import { checkCommand } from './commands/check/check-command.js';
import { devCommand } from './commands/dev/dev-command.js';
import { composeEnvironmentCommand } from './commands/init/compose-environment-command.js';
import { initCommand } from './commands/init/init-command.js';
import { addMemberCommand } from './commands/member/member-command.js';
import { addMigrateCommand } from './commands/migrate/migrate-command.js';
import { natsConfigurationCommand } from './commands/nats-configuration/nats-configuration-command.js';
import { addOrganizationCommands } from './commands/org/org-command.js';
import { serviceCommand } from './commands/service/service-command.js';
import { addSignInLinkCommand } from './commands/sign-in-link/sign-in-link-command.js';
import { startCommand } from './commands/start/start-command.js';
import { addTokenCommand } from './commands/token/token-command.js';
import { ConfigurationError } from './platform/config/configuration.js';

// Commands import the database code and the API description themselves when they need them. Loading both
// takes five times as long as the rest.

const program = withConfigOption(new Command('understudy-control-plane'))
  .description('The control plane and the commands of its operator.')
  .version(PACKAGE_VERSION, '--version', 'print the version')
  .exitOverride()
  .showHelpAfterError('(run with --help for the available options)')
  .addHelpText(
    'after',
    '\nExit codes:\n  0  success\n  1  the command failed\n  2  the configuration, an argument or an option is invalid',
  );

for (const command of [
  startCommand(),
  devCommand(),
  serviceCommand(),
  initCommand(),
  checkCommand(),
  natsConfigurationCommand(),
  composeEnvironmentCommand(),
])
  program.addCommand(command.copyInheritedSettings(program));
addMigrateCommand(program);
addBootstrapCommand(program);
addOrganizationCommands(program);
addTokenCommand(program);
addMemberCommand(program);
addSignInLinkCommand(program);
addAgentCommand(program);
addApiCommands(program);

/** Runs one command. If it fails, prints the error to stderr and sets the exit code of the process. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  await program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
    const code = reportError(error);
    process.exitCode ||= code; // an interrupt has set 130
  });
}

/** Prints an error without a stack. @returns the exit code */
function reportError(error: unknown): number {
  // Commander has already printed its error. Requested help arrives here with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`understudy-control-plane: ${explain(error)}\n`);
  return error instanceof ConfigurationError || error instanceof VariablesFileError ? 2 : 1;
}

/**
 * Returns the text for the error output. A driver's message can contain users and hosts of the database URL,
 * which the operator knows. The message never contains passwords.
 */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const constraint: unknown = Reflect.get(error, 'constraint');
  if (typeof constraint === 'string' && constraint.endsWith('_organization_id_fkey'))
    return 'expected the id of an existing organisation';
  const code: unknown = Reflect.get(error, 'code');
  return error.message === '' && typeof code === 'string'
    ? `the database is not reachable (${code})`
    : error.message;
}
