import { Command } from 'commander';

import { processEnvironment } from '../../platform/config/configuration.js';

/** Returns the command that checks everything that the control plane needs. */
export function checkCommand(): Command {
  return new Command('check')
    .description(
      'check everything that the control plane needs, and print a line with the remedy for each problem',
    )
    .option('--json', 'print the results as one JSON array')
    .addHelpText(
      'after',
      '\nThe command changes nothing. Run it as the user of the server, before the first start or while it runs. A line\n' +
        'begins with ok, warn, FAIL or skip. The output contains no password.\n' +
        '\nExit codes:\n' +
        '  0  no step failed\n' +
        '  1  at least one step failed\n' +
        '  2  the configuration, an argument or an option is invalid\n' +
        '\nExample:\n  $ understudy-control-plane check --config /etc/understudy/control-plane.env',
    )
    .action(async (_: unknown, command: Command) => {
      const { json = false, config } = command.optsWithGlobals<{ json?: boolean; config?: string }>();
      const { runCheck } = await import('./run-check.js');
      const exitCode = await runCheck({
        environment: processEnvironment(),
        ...(config === undefined ? {} : { configFile: config }),
        json,
        write: (text) => process.stdout.write(text),
        note: (text) => process.stderr.write(text),
      });
      process.exit(exitCode); // a step that ran out of time may still hold a connection
    });
}
