import { failureOf } from '@understudy/sync-engine';
import { LOCAL_REVERT_MESSAGES, namesOf, SyncJobError } from '@understudy/sync-job';
import { CliError } from '../../cli-error.js';
import { warnOfPlaintext } from '../../database/open-database.js';
import { EXIT } from '../../exit-code.js';
import { interruptible } from '../../terminal/interruption.js';
import type { JobFile } from '../job-file/job-file.js';
import { readJobFile } from '../job-file/read-job-file.js';
import type { JobFileOptions } from '../job-file-options.js';
import { failureExitCode, failureLines } from '../report/failures.js';
import { whileLocked } from '../state/run-lock.js';
import {
  type KeptRecord,
  readRunRecord,
  recordPath,
  type RunRecord,
  writeRunRecord,
} from '../state/run-record.js';
import { openStateFolder, stateFolderOf } from '../state/state-folder.js';

/** The database that a run of a job file has replaced and kept. */
export interface KeptDatabase {
  readonly job: JobFile;
  readonly kept: KeptRecord;
  /** Records what is kept now. */
  readonly record: (kept: KeptRecord | undefined) => Promise<void>;
}

/**
 * Runs work on the kept database of a job file. No run of the job file begins at the same time.
 * @throws CliError if no run has kept a database on this target, or the work fails; Interrupted
 */
export async function withKeptDatabase(
  file: string,
  options: JobFileOptions,
  work: (database: KeptDatabase, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const job = await readJobFile(file, { ...options, nowMs: Date.now() });
  const path = recordPath(await openStateFolder(stateFolderOf(file, options.state)), file);
  warnOfPlaintext(job.target.target);
  await whileLocked(`${path}.lock`, async () => {
    const run = await readRunRecord(path);
    if (run?.kept?.target !== job.target.target.display)
      throw new CliError(
        EXIT.refused,
        `${file}: the state folder has no record of a database that a run has replaced and kept`,
      );
    const { kept, ...others } = run;
    const record = (now: KeptRecord | undefined) => writeRunRecord(path, withKept(others, now));
    await interruptible((interrupted) => {
      const signal = aborting(interrupted);
      return reporting(() => work({ job, kept, record }, signal), signal);
    });
  });
}

function withKept(run: RunRecord, kept: KeptRecord | undefined): RunRecord {
  return kept === undefined ? run : { ...run, kept };
}

function aborting(interrupted: AbortSignal): AbortSignal {
  const stop = new AbortController();
  interrupted.addEventListener('abort', () => {
    stop.abort(new SyncJobError({ code: 'cancelled' }));
  });
  return stop.signal;
}

async function reporting(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof CliError) throw error;
    const failure = failureOf(error, signal);
    throw new CliError(
      failureExitCode(failure.code),
      failureLines(failure, namesOf({ tables: [] }), LOCAL_REVERT_MESSAGES),
    );
  }
}
