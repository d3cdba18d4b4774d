import type { Command } from 'commander';
import { ENCRYPTION_NOTE, type Manual, withManual } from '../../manual/manual.js';
import { jobFileCommand, type JobFileOptions } from '../job-file-options.js';

const MANUAL: Manual = {
  notes: [
    'A run of a job file with "replace": "database" keeps the replaced database under another name, so that "understudy revert" can bring it back. This command drops the kept database. It changes neither the source nor the target.',
    'The command fails if another session uses the kept database.',
    ENCRYPTION_NOTE,
  ],
  examples: [{ purpose: 'drop the database that the last run replaced', run: 'understudy clean job.json' }],
};

export function cleanCommand(): Command {
  const command = jobFileCommand('clean')
    .description('Drops the database that a run of a job file has replaced and kept.')
    .action(async (file: string, options: JobFileOptions) => {
      const { runClean } = await import('./run-clean.js');
      await runClean(file, options);
    });
  return withManual(command, MANUAL);
}
