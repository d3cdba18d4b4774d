import { Command } from 'commander';

import { readStateDir } from '../../config/environment.js';
import { withManual } from '../manual.js';

export function statusCommand(): Command {
  return withManual(
    new Command('status')
      .description('Prints the state of the agent that runs on this state folder. Use it as a health check.')
      .option('--json', 'print the status as one JSON object')
      .helpOption('-h, --help', 'print this help, with examples')
      .action(async ({ json = false }: { json?: boolean }) => {
        const { readStatus } = await import('../../operator/status-file.js');
        const { judgeStatus, describeStatus } = await import('./describe-status.js');
        const status = await readStatus(readStateDir());
        const now = new Date();
        const health = judgeStatus(status, now);
        process.stdout.write(
          json
            ? `${JSON.stringify({ health: health.name, ...status })}\n`
            : `${describeStatus(status, health, now).join('\n')}\n`,
        );
        process.exitCode = health.exitCode;
      }),
    {
      notes: [
        'Reads only the file status.json in UNDERSTUDY_AGENT_STATE_DIR, which the agent writes every two seconds. It opens no connection.',
      ],
      examples: [
        { purpose: 'print the state of the agent', run: 'understudy-agent status' },
        { purpose: 'use it as a health check', run: 'understudy-agent status --json > /dev/null' },
      ],
      exitCodes: {
        0: 'the control plane replied to a heartbeat within the last 30 s',
        1: 'the agent runs, but the control plane has not replied to a heartbeat for 30 s',
        2: 'no agent runs on this state folder: there is no status.json, or it is older than 15 s',
      },
    },
  );
}
