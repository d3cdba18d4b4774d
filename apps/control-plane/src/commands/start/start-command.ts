import { Command } from 'commander';

/** Returns the command that runs the server, as `node dist/main.js` does. */
export function startCommand(): Command {
  return new Command('start')
    .description('start the server, and run it until it receives SIGTERM or SIGINT')
    .addHelpText(
      'after',
      '\nThe command reads the whole configuration and reports all problems together.\n' +
        'Run migrate before the first start and after each upgrade.\n' +
        '\nExit codes:\n' +
        '  0  the server has stopped after a signal\n' +
        '  1  the server could not start, or failed\n' +
        '  2  the configuration, an argument or an option is invalid\n' +
        '\nExample:\n  $ understudy-control-plane --config /etc/understudy/control-plane.env start',
    )
    .action(async () => {
      await import('../../main.js'); // the signals and exit codes of the process belong to this program
    });
}
