import type { Command } from 'commander';
import { wholeNumber } from '../../config/option-values.js';
import { ENCRYPTION_NOTE, type Manual, withManual } from '../../manual/manual.js';
import { jobFileCommand } from '../job-file-options.js';
import type { RevertOptions } from './run-revert.js';

const MANUAL: Manual = {
  notes: [
    'A run of a job file with "replace": "database" keeps the replaced database under another name. This command swaps the two: the target has its former content again, and the content of the run is kept instead. Run the command again to swap them again.',
    'Both names change in one transaction, so the target is never missing. The command waits for other jobs on the target, and then until no other session uses it. With "end_sessions" and "allow_end_sessions" in the job file, it ends the sessions that the role of the target may end. If you press Ctrl-C before that, the target stays unchanged. After a crash, run the command again: it completes what the crash has interrupted.',
    'The next run on the same target drops the kept database, and so does "understudy clean".',
    ENCRYPTION_NOTE,
  ],
  examples: [
    { purpose: 'bring back the database that the last run replaced', run: 'understudy revert job.json' },
  ],
};

export function revertCommand(): Command {
  const command = jobFileCommand('revert')
    .description('Brings back the database that the last run of a job file replaced.')
    .option(
      '--lock-wait <seconds>',
      'how long to wait until no other session uses the target',
      wholeNumber(0, 86_400),
      600,
    )
    .action(async (file: string, options: RevertOptions) => {
      const { runRevert } = await import('./run-revert.js');
      await runRevert(file, options);
    });
  return withManual(command, MANUAL);
}
