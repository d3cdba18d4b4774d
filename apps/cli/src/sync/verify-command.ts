import type { Command } from 'commander';
import { ENCRYPTION_NOTE, type Manual, withManual } from '../manual/manual.js';
import { jobFileCommand, type JobFileOptions } from './job-file-options.js';

const MANUAL: Manual = {
  notes: [
    'Every run of "understudy sync" verifies its copy before it changes the target. This command checks the finished target again and compares it with the current source. It changes neither database.',
    'Some checks read only the target: columns that the job sets to NULL, foreign keys, sequences and the number of rows. That number must equal the number of rows that the last run copied.',
    'Other checks also read the source. Preserved columns are compared by a digest of all rows. Masked columns are recomputed from the source and compared with all rows of the target; the order of the rows does not matter. This detects every changed value, also in JSON documents and in rows with masked keys, and the output names the column. For each foreign key with a masked column, the rows that each server joins are compared too.',
    'Recomputing needs the masking key, the seed and the models of the run, which are in the state folder. It also needs permission to create temporary tables on the target, and disk space there for a chunk of a table. If a column is unique or its rule numbers rows, the disk needs space for the whole table. Recomputing takes about as long as the copy.',
    'If a column cannot be recomputed, the output gives the reason. The column is then compared with the original row by row, if its rule guarantees different values and a primary key was preserved.',
    'If the number of rows in a source table has changed since the copy, the table cannot be compared. The output reports the table as not compared, which is no failure. If source rows were only updated, the check fails (exit code 6), because it cannot determine whether the source or the target changed. Without a primary key, masked values depend on the physical positions of rows, so VACUUM FULL of the source also makes the check fail. A change that was made in the same way on both sides is not detected.',
    ENCRYPTION_NOTE,
  ],
  examples: [
    {
      purpose: 'check that the target still equals the result of the job',
      run: 'understudy verify job.json',
    },
    { purpose: 'write each check as JSON', run: 'understudy verify job.json --json > checks.json' },
  ],
};

export function verifyCommand(): Command {
  const command = jobFileCommand('verify')
    .description('Verifies the finished target of a job file.')
    .action(async (file: string, options: JobFileOptions) => {
      const { runVerify } = await import('./run-verify.js');
      await runVerify(file, options);
    });
  return withManual(command, MANUAL);
}
