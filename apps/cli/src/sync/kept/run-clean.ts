import { dropKept, keptName } from '@understudy/database-swap';
import { SyncJobError } from '@understudy/sync-job';
import { JsonLines } from '../../terminal/json-lines.js';
import { printLine } from '../../terminal/messages.js';
import { isForPrograms, type JobFileOptions } from '../job-file-options.js';
import { withKeptDatabase } from './kept-database.js';

/**
 * Runs `understudy clean`. If a revert was interrupted, either of two changes can be the last one.
 * @throws CliError if nothing is kept or the database cannot be dropped
 */
export async function runClean(file: string, options: JobFileOptions): Promise<void> {
  await withKeptDatabase(file, options, async ({ job, kept, record }) => {
    const { target } = job.target;
    const changes = [kept.lastChange, ...(kept.reverting === undefined ? [] : [kept.reverting])];
    for (const change of changes) {
      const code = await dropKept(target, change);
      if (code !== undefined) throw new SyncJobError({ code, side: 'target' });
    }
    await record(undefined);
    const name = keptName(target.database, kept.lastChange);
    if (isForPrograms(options))
      new JsonLines(process.stdout).event({ event: 'cleaned', dropped_database: name });
    else printLine(`Dropped ${name}.`);
  });
}
