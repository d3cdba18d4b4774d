import { Command } from 'commander';

import { withManual } from '../manual.js';

/** Returns the command that runs the agent, as `node dist/main.js` does. */
export function startCommand(): Command {
  return withManual(
    new Command('start')
      .description('Starts the agent, and runs it until it receives SIGTERM or SIGINT.')
      .helpOption('-h, --help', 'print this help, with examples')
      .action(async () => {
        await import('../../main.js'); // the signals and exit codes of the process belong to this program
      }),
    {
      notes: [
        'The first start enrols the agent and needs UNDERSTUDY_AGENT_ENROLMENT_TOKEN. The log is on the standard output, one JSON object per line.',
      ],
      examples: [
        {
          purpose: 'start the agent with the variables of a file',
          run: 'understudy-agent --config /etc/understudy-agent/agent.env start',
        },
      ],
      exitCodes: {
        0: 'the agent has stopped after a signal',
        1: 'the agent stopped after an error; start it again',
        75: 'another agent uses the state folder',
      },
    },
  );
}
