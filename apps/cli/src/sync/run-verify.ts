import {
  failureOf,
  masksFingerprint,
  type SyncEnvironment,
  type TargetCheck,
  verifyTarget,
} from '@understudy/sync-engine';
import { failureError, LOCAL_CHECK_MESSAGES, SyncJobError } from '@understudy/sync-job';
import { CliError } from '../cli-error.js';
import { warnOfPlaintext } from '../database/open-database.js';
import { EXIT } from '../exit-code.js';
import { interruptible } from '../terminal/interruption.js';
import { engineEnvironment, renewRegularly } from './engine/engine-environment.js';
import { failureExitCode, failureLines } from './report/failures.js';
import { type JobFile, namesOfJob, tablesOfJob, toCommand } from './job-file/job-file.js';
import { readJobFile } from './job-file/read-job-file.js';
import { localLog } from './engine/local-log.js';
import { JsonVerifyReport, TerminalVerifyReport, type VerifyReport } from './report/verify-report.js';
import { type CompletedRun, newRun, readRunRecord, recordPath } from './state/run-record.js';
import { openStateFolder, stateFolderOf } from './state/state-folder.js';
import { isForPrograms, type JobFileOptions, progressFor } from './job-file-options.js';

/**
 * Runs `understudy verify`, which checks the finished target of a job file.
 * @throws CliError if a check fails or cannot run, Interrupted if the user stops the command
 */
export async function runVerify(file: string, options: JobFileOptions): Promise<void> {
  const job = await readJobFile(file, { ...options, nowMs: Date.now() });
  const state = await openStateFolder(stateFolderOf(file, options.state), options.maskingKeyFile);
  const record = await readRunRecord(recordPath(state, file));
  const names = tablesOfJob(job);
  const report = isForPrograms(options)
    ? new JsonVerifyReport(names)
    : new TerminalVerifyReport(names, progressFor(options));
  warnOfPlaintext(job.source.target, job.target.target);
  const log = localLog(options.verbose === true, () => {
    report.clear();
  });
  const environment = engineEnvironment(job, state, log, { ...options, chunkMb: CHUNK_MB });
  const last = record?.completed;
  const isOnTarget = last?.target === job.target.target.display && record?.kept?.isReverted !== true;
  const completed = isOnTarget ? last : undefined;
  const checks = await interruptible((signal) => verify(job, completed, environment, signal, report));
  report.clear();
  report.checked(checks);
  const failed = checks.filter(({ outcome }) => outcome === 'fails').length;
  if (failed > 0)
    throw new CliError(
      EXIT.unequal,
      `${file}: the target differs from the result that the job computes from the source`,
    );
}

async function verify(
  job: JobFile,
  completed: CompletedRun | undefined,
  environment: SyncEnvironment,
  interrupted: AbortSignal,
  report: VerifyReport,
): Promise<readonly TargetCheck[]> {
  const stop = new AbortController();
  interrupted.addEventListener('abort', () => {
    stop.abort(new SyncJobError({ code: 'cancelled' }));
  });
  const now = new Date();
  // The new record has a new job id. With the id of the sync run, this command would mistake sessions of that
  // run for sessions of its own earlier attempts.
  const run = newRun(completed ?? { seed: 0, referenceInstantMs: now.getTime() }, now);
  const command = toCommand(job, run, false);
  const isSame = () => completed?.masks === masksFingerprint(command, environment);
  try {
    return await verifyTarget({
      command,
      environment,
      copied: rowsCopied(job, completed),
      run: completed === undefined ? 'unknown_run' : isSame() ? 'known' : 'changed_rules',
      onProgress: (progress) => {
        report.progress(progress);
      },
      signal: stop.signal,
      keepSnapshot: renewRegularly,
    });
  } catch (error) {
    const failure = failureOf(error, stop.signal);
    environment.log.error(
      { failure, detail: error instanceof Error ? error.stack : undefined },
      'verification failed',
    );
    const names = namesOfJob(job);
    report.clear();
    report.failed(failureError(failure, names, LOCAL_CHECK_MESSAGES));
    throw new CliError(failureExitCode(failure.code), failureLines(failure, names, LOCAL_CHECK_MESSAGES));
  }
}

/** The size of a chunk in MB. The target's disk holds each recomputed chunk until it is compared. */
const CHUNK_MB = 64;

/** Returns the rows that the last completed run copied, by table index. */
function rowsCopied(job: JobFile, completed: CompletedRun | undefined): ReadonlyMap<number, number> {
  const rows = new Map(Object.entries(completed?.rows ?? {}));
  return new Map(
    tablesOfJob(job).flatMap((name, index) => {
      const copied = rows.get(name);
      return copied === undefined ? [] : [[index, copied] as const];
    }),
  );
}
