import { keptName } from '@understudy/database-swap';
import { masksFingerprint, type SyncEnvironment, SyncJobRunner } from '@understudy/sync-engine';
import {
  defined,
  failureMessage,
  LOCAL_CHECK_MESSAGES,
  LOCAL_SYNC_MESSAGES,
  namesOf,
  parseInstant,
  startOfUtcDay,
  SyncJobError,
} from '@understudy/sync-job';
import { CliError } from '../cli-error.js';
import { warnOfPlaintext } from '../database/open-database.js';
import { randomSeed } from '../config/option-values.js';
import { EXIT } from '../exit-code.js';
import { interruptible } from '../terminal/interruption.js';
import { engineEnvironment, renewRegularly } from './engine/engine-environment.js';
import { confirmReplacement, confirmWhole } from './confirm-replacement.js';
import { failureExitCode } from './report/failures.js';
import { type JobFile, namesOfJob, policyOf, tablesOfJob, toCommand } from './job-file/job-file.js';
import { readJobFile } from './job-file/read-job-file.js';
import { isForPrograms, type JobFileOptions, progressFor } from './job-file-options.js';
import { localLog } from './engine/local-log.js';
import { JsonReport } from './report/json-report.js';
import type { SyncReport } from './report/sync-report.js';
import { TerminalReport } from './report/terminal-report.js';
import { type RunEnd, EngineReporter } from './report/engine-reporter.js';
import { whileLocked } from './state/run-lock.js';
import { newRun, readRunRecord, recordPath, type RunRecord, writeRunRecord } from './state/run-record.js';
import { openStateFolder, type StateFolder, stateFolderOf } from './state/state-folder.js';

export interface SyncOptions extends JobFileOptions {
  readonly chunkMb: number;
  readonly lockWait: number;
  readonly dryRun?: true;
  readonly resume?: true;
  readonly yes?: true;
}

/**
 * Runs `understudy sync`.
 * @throws CliError if the job file is invalid or the job fails, Interrupted if the user stops the run
 */
export async function runSync(file: string, options: SyncOptions): Promise<void> {
  const job = await readJobFile(file, { ...options, nowMs: Date.now() });
  const state = await openStateFolder(stateFolderOf(file, options.state), options.maskingKeyFile);
  const names = tablesOfJob(job);
  const report = isForPrograms(options)
    ? new JsonReport(names)
    : new TerminalReport(names, progressFor(options));
  warnOfPlaintext(job.source.target, job.target.target);
  const isDryRun = options.dryRun === true || job.request.dry_run === true;
  const run = new SyncRun(file, job, state, report, isDryRun, options);
  if (state.isNewKey) report.remarks(NEW_KEY(state.path));
  if (isDryRun) return void (await run.predict());
  // A resumed run was confirmed when it began. Programs and scripts are never asked.
  const mayAsk = !isForPrograms(options) && process.stdin.isTTY && process.stderr.isTTY;
  if (mayAsk && options.yes !== true && options.resume !== true)
    await (job.request.replace === 'database'
      ? confirmWhole(job.target.target)
      : confirmReplacement(job.target.target, names));
  await whileLocked(`${recordPath(state, file)}.lock`, () => run.copy(options.resume === true));
}

const NEW_KEY = (folder: string): string =>
  `Created a masking key in ${folder}. Keep it: later runs need it to give the same rows the same masked values. Keep it secret: with the key and the target, guesses about original values can be tested.`;

const KEPT = (database: string, file: string): string =>
  `The replaced database is kept as ${database}. "understudy revert ${file}" brings it back, and "understudy clean ${file}" drops it.`;

class SyncRun {
  private readonly environment: SyncEnvironment;
  private readonly runner: SyncJobRunner;

  constructor(
    private readonly file: string,
    private readonly job: JobFile,
    private readonly state: StateFolder,
    private readonly report: SyncReport,
    private readonly isDryRun: boolean,
    options: SyncOptions,
  ) {
    const log = localLog(options.verbose === true, () => {
      report.clear();
    });
    this.environment = {
      ...engineEnvironment(job, state, log, options),
      onNames: (names) => {
        report.lists(names);
      },
    };
    this.runner = new SyncJobRunner(this.environment);
  }

  async predict(): Promise<void> {
    const end = await this.work(this.freshRun(), false, () => Promise.resolve());
    if (end.kind !== 'predicted' || end.prediction.problemCount === 0) return;
    const [first] = end.prediction.problems;
    throw new CliError(failureExitCode(first?.code), `${this.file}: the job would fail`);
  }

  async copy(isResumed: boolean): Promise<void> {
    const path = recordPath(this.state, this.file);
    const earlier = await readRunRecord(path);
    const fresh = isResumed ? nextAttempt(earlier, this.file) : this.freshRun();
    const { completed, kept } = earlier ?? {};
    const run = { ...fresh, ...defined({ completed, kept }) };
    if (!isResumed && earlier?.state === 'open') await this.discard(earlier);
    await writeRunRecord(path, run);
    await this.work(run, isResumed, async (end) => {
      await writeRunRecord(path, this.ended(run, end));
      if (end.kind === 'completed' && end.isKept)
        this.report.remarks(KEPT(keptName(this.job.target.target.database, run.jobId), this.file));
    });
  }

  private freshRun(): RunRecord {
    const { seed = randomSeed(), now } = this.job.request;
    const today = new Date();
    return newRun({ seed, referenceInstantMs: (parseInstant(now) ?? startOfUtcDay(today)).getTime() }, today);
  }

  /** Runs the engine. @throws CliError if the job fails, Interrupted if the user stops it */
  private async work(
    run: RunRecord,
    isResumed: boolean,
    onEnd: (end: RunEnd) => Promise<void>,
  ): Promise<RunEnd> {
    const { job, report, isDryRun, runner } = this;
    const { source, target } = job;
    report.begins({
      job: this.file,
      source: source.target.display,
      target: target.target.display,
      tables: tablesOfJob(job).length,
      ...{ isResumed, isDryRun },
    });
    if (isDryRun && job.request.replace === 'database')
      report.lists({ about: 'policy', fields: policyOf(job) });
    return interruptible(async (signal) => {
      const stop = new AbortController();
      const onInterrupt = (): void => {
        report.stopping();
        stop.abort(new SyncJobError({ code: 'cancelled' }));
      };
      signal.addEventListener('abort', onInterrupt);
      const messages = isDryRun ? LOCAL_CHECK_MESSAGES : LOCAL_SYNC_MESSAGES;
      const reporter = new EngineReporter(report, namesOfJob(job), () => signal.aborted, onEnd, messages);
      await runner.run(toCommand(job, run, isDryRun), reporter, stop.signal, renewRegularly);
      await runner.whenForgotten();
      report.clear();
      if (reporter.end === undefined) throw new Error('the job ended without a result');
      if (reporter.end.kind !== 'failed') return reporter.end;
      const { failure, message } = reporter.end;
      if (failure.code === 'cancelled') report.stopped();
      throw new CliError(failureExitCode(failure.code), message);
    });
  }

  private ended(run: RunRecord, end: RunEnd): RunRecord {
    if (end.kind === 'completed') {
      const { seed, referenceInstantMs } = run;
      const masks = masksFingerprint(toCommand(this.job, run, false), this.environment);
      const target = this.job.target.target.display;
      return {
        ...run,
        state: 'completed',
        completed: { target, seed, referenceInstantMs, rows: end.rows, masks },
        ...(end.isKept && { kept: { target, lastChange: run.jobId, isReverted: false } }),
      };
    }
    return end.kind === 'failed' && end.mayResume ? run : { ...run, state: 'failed' };
  }

  /** Removes the rows that an unfinished run left on the target. */
  private async discard({ jobId, epoch, startedAt }: RunRecord): Promise<void> {
    this.report.remarks(
      `the run of ${startedAt} did not finish. Its copied rows are removed. To continue such a run, use --resume.`,
    );
    try {
      const { source, target } = this.job;
      const attempt = { jobId, epoch: epoch + 1 };
      await this.runner.cleanUp({ kind: 'url', url: target.url }, attempt, { kind: 'url', url: source.url });
    } catch (error) {
      // The remaining rows are in hidden tables and do no harm. If the target is unusable, the new run reports it.
      const failure = error instanceof SyncJobError ? error.failure : ({ code: 'database_error' } as const);
      const names = namesOf({ tables: [] });
      this.report.remarks(
        `the unfinished run could not be removed completely: ${failureMessage(failure, names, LOCAL_SYNC_MESSAGES)}`,
      );
    }
  }
}

function nextAttempt(earlier: RunRecord | undefined, file: string): RunRecord {
  if (earlier?.state === 'open') return { ...earlier, epoch: earlier.epoch + 1 };
  const why =
    earlier === undefined
      ? 'the state folder has no record of a run'
      : `the last run, of ${earlier.startedAt}, ${earlier.state === 'completed' ? 'completed' : 'failed and cannot be continued'}`;
  throw new CliError(
    EXIT.refused,
    `${file}: there is nothing to resume: ${why}`,
    'Run the job without --resume.',
  );
}
