import type { Command } from 'commander';
import { type Manual, withManual } from '../manual/manual.js';
import { jobFileCommand, type JobFileOptions } from './job-file-options.js';

const MANUAL: Manual = {
  notes: [
    'Every run of "understudy sync" verifies what it copied before anybody sees it. This looks at the finished target again, and at the source as it is now; both are only read.',
    'By the target alone: columns that were to be NULL, references (those that the server enforces too), sequences, and the number of rows, which is compared with what the last run wrote down. With the source: preserved columns, by a digest of all rows, unless the source has other rows by now; and masked columns, row by row, where a primary key was preserved: a value that is the same on both sides is a fault where the rule promises another one, and is told where it does not.',
    "What was changed on both sides alike is not seen, nor is a masked value that was changed into another one that is not the source's.",
  ],
  examples: [
    { says: 'is the target still what the job made of it', run: 'understudy verify job.json' },
    { says: 'each check for a program', run: 'understudy verify job.json --json > checks.json' },
  ],
};

export function verifyCommand(): Command {
  const command = jobFileCommand('verify')
    .description('Verifies the finished target of a job file again.')
    .action(async (file: string, options: JobFileOptions) => {
      const { runVerify } = await import('./run-verify.js');
      await runVerify(file, options);
    });
  return withManual(command, MANUAL);
}
