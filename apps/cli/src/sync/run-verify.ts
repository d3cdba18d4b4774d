import { failureError, LOCAL_SYNC_WORDING } from '@understudy/failure-messages';
import { failureOf, SyncJobError, type TargetCheck, verifyTarget } from '@understudy/sync-engine';
import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';
import { interruptible } from '../terminal/interruption.js';
import { JsonLines } from '../terminal/json-lines.js';
import { engineEnvironment } from './engine-environment.js';
import { failureExitCode } from './failure-exit-code.js';
import { failureLines } from './failure-lines.js';
import type { JobFile } from './job-file/job-file.js';
import { readJobFile } from './job-file/read-job-file.js';
import { namesOfJob } from './job-names.js';
import { localLog } from './local-log.js';
import { renewed } from './renewed.js';
import { tellChecks, tellChecksAsJson } from './report/verify-report.js';
import { newRun, readRunRecord, recordPath, type RunRecord } from './state/run-record.js';
import { openStateFolder, stateFolderOf } from './state/state-folder.js';
import type { JobFileOptions } from './job-file-options.js';
import { toCommand } from './to-command.js';

/** Looks at the finished target of a job file. @throws CliError, Interrupted */
export async function runVerify(file: string, options: JobFileOptions): Promise<void> {
  const job = await readJobFile(file, { ...options, nowMs: Date.now() });
  const state = await openStateFolder(stateFolderOf(file, options.state), options.maskingKeyFile);
  const record = await readRunRecord(recordPath(state, file));
  const log = localLog(options.verbose === true, () => undefined);
  const environment = engineEnvironment(job, state, log, { ...options, chunkMb: 1 });
  const checks = await interruptible((signal) => look(job, record, environment, signal, options));
  const names = job.request.tables.map(({ name }) => name);
  if (options.json === true || !process.stdout.isTTY) tellChecksAsJson(checks, names);
  else tellChecks(checks, names);
  const failed = checks.filter(({ outcome }) => outcome === 'fails').length;
  if (failed > 0)
    throw new CliError(EXIT.unequal, `${file}: the target is not what the job makes of the source`);
}

async function look(
  job: JobFile,
  record: RunRecord | undefined,
  environment: ReturnType<typeof engineEnvironment>,
  interrupted: AbortSignal,
  options: JobFileOptions,
): Promise<readonly TargetCheck[]> {
  const stop = new AbortController();
  interrupted.addEventListener('abort', () => {
    stop.abort(new SyncJobError({ code: 'cancelled' }));
  });
  const now = new Date();
  // Sessions of its own name: those of a run are not taken for older ones of this.
  const run = newRun(
    { seed: record?.seed ?? 0, referenceInstantMs: record?.referenceInstantMs ?? now.getTime() },
    now,
  );
  try {
    return await verifyTarget({
      command: toCommand(job, run, false),
      environment,
      copied: rowsCopied(job, record),
      signal: stop.signal,
      onLeaseRenewed: renewed,
    });
  } catch (error) {
    const failure = failureOf(error, stop.signal);
    environment.log.error(
      { failure, detail: error instanceof Error ? error.stack : undefined },
      'verification failed',
    );
    const names = namesOfJob(job);
    if (options.json === true || !process.stdout.isTTY) {
      const told = failureError(failure, names, LOCAL_SYNC_WORDING);
      new JsonLines(process.stdout).event({ event: 'failed', ...told });
    }
    throw new CliError(failureExitCode(failure.code), failureLines(failure, names));
  }
}

/** By table index, as the record of the last run that completed has it. */
function rowsCopied({ request }: JobFile, record: RunRecord | undefined): ReadonlyMap<number, number> {
  const rows = new Map(Object.entries(record?.rows ?? {}));
  return new Map(
    request.tables.flatMap(({ name }, index) => {
      const copied = rows.get(name);
      return copied === undefined ? [] : [[index, copied] as const];
    }),
  );
}
