import { Command } from 'commander';

import { processEnvironment } from '../../config/environment.js';
import { withManual } from '../manual.js';

export function checkCommand(): Command {
  return withManual(
    new Command('check')
      .description(
        'Checks everything that the agent needs, and prints a line with the remedy for each problem.',
      )
      .option('--json', 'print the results as one JSON array')
      .helpOption('-h, --help', 'print this help, with examples')
      .action(async ({ json = false }: { json?: boolean }) => {
        const { runCheck } = await import('./run-check.js');
        const exitCode = await runCheck({
          environment: processEnvironment(),
          json,
          write: (text) => process.stdout.write(text),
          note: (text) => process.stderr.write(text),
        });
        process.exit(exitCode); // a step that ran out of time may still hold a connection
      }),
    {
      notes: [
        'Run it before the first start of the agent, or while the agent runs. It changes nothing: it enrols nothing, and it does not use the enrolment token. While an agent runs on the state folder, it does not connect with the identity of the agent.',
        'A line begins with ok, warn, FAIL or skip. A skipped line gives the reason. Each step has a time limit of 15 s, and all steps together have 2 minutes.',
      ],
      examples: [
        { purpose: 'check the environment before the first start', run: 'understudy-agent check' },
        {
          purpose: 'keep the results for a support request; they contain no secret',
          run: 'understudy-agent check --json > check.json',
        },
      ],
      exitCodes: {
        0: 'no step failed',
        1: 'at least one step failed',
      },
    },
  );
}
