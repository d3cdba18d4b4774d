import { Command, InvalidArgumentError } from 'commander';

import { readStateDir } from '../../config/environment.js';
import { WORK_ID } from '../../operator/request-files.js';
import { withManual } from '../manual.js';

export function cancelCommand(): Command {
  return withManual(
    new Command('cancel')
      .description(
        'Cancels a sync job, snapshot or restore that runs on this agent, also while the control plane cannot be reached.',
      )
      .argument('<job>', 'the id of the job, snapshot or restore; "status" prints it', parseId)
      .option('--json', 'print the outcome as one JSON object')
      .helpOption('-h, --help', 'print this help, with examples')
      .action(async (job: string, { json = false }: { json?: boolean }) => {
        const { cancelWork } = await import('./cancel-work.js');
        const { outcome, message, exitCode } = await cancelWork(readStateDir(), job);
        process.stdout.write(`${json ? JSON.stringify({ job, outcome, message }) : message}\n`);
        process.exitCode = exitCode;
      }),
    {
      notes: [
        'Waits up to 15 s until the job has ended. A cancelled job leaves its target unchanged. The agent reports the end to the control plane as soon as it can reach it.',
      ],
      examples: [
        { purpose: 'cancel a sync job', run: 'understudy-agent cancel job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
      ],
      exitCodes: {
        0: 'the job is cancelled',
        1: 'no such job runs here, or the job ended in another way before it could be cancelled',
        2: 'no agent runs on this state folder',
        3: 'the agent accepted the request, but the job has not ended within 15 s',
      },
    },
  );
}

function parseId(text: string): string {
  if (WORK_ID.test(text)) return text;
  throw new InvalidArgumentError('Expected an id such as job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E.');
}
