import type { Command } from 'commander';
import { ENCRYPTION_NOTE, type Manual, withManual } from '../manual/manual.js';
import { jobFileCommand, type JobFileOptions } from './job-file-options.js';

const MANUAL: Manual = {
  notes: [
    'Every run of "understudy sync" verifies what it copied before anybody sees it. This looks at the finished target again, and at the source as it is now; neither is changed.',
    "By the target alone: columns that were to be NULL, references (those that the server enforces too), sequences, and the number of rows, which is compared with what the last run wrote down. With the source: preserved columns, by a digest of all rows; and masked columns, which are masked again and compared with the target's rows, all columns together and in any order, so that a value that was changed into another made-up one is found, in documents of JSON and in rows with masked keys too, and its column named.",
    'Masking again takes the masking key, the seed and the models of the run (the state folder has them), the right to make temporary tables on the target, disk there for a chunk of a table (for all of it where values may not repeat or count rows), and about the time of a copy. Where it cannot be done the output says why, and columns whose rule promises another value are compared with the originals row by row, if a primary key was preserved.',
    'A source that has other rows than were copied tells nothing of their table any more: that is said, and is no fault. Rows that were updated there since are not told from rows that were changed on the target: the check fails and says that it may be either side. Of a table without a primary key new values follow from the places of its rows, so that VACUUM FULL of the source changes them too. What was changed on both sides alike is not seen.',
    ENCRYPTION_NOTE,
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
