import {
  type Names,
  namesOf,
  type SyncJobCommand,
  type SyncRequest,
  toDefinition,
  withWhereColumns,
} from '@understudy/sync-job';
import type { RunRecord } from '../state/run-record.js';
import type { JobFilesLibrary } from './job-files-library.js';
import type { JobDatabase } from './read-database.js';
import type { DatabaseReplacement } from './read-replacement.js';

/** The content of a valid job file. */
export interface JobFile {
  readonly source: JobDatabase;
  readonly target: JobDatabase;
  /** Set if the job replaces the whole database. */
  readonly replacement?: DatabaseReplacement;
  readonly request: SyncRequest;
  /** For each condition, in the order of the tables, its columns in order of appearance. */
  readonly whereColumns: readonly (readonly string[])[];
  readonly library: JobFilesLibrary;
}

/** Returns the names of a job file's tables and columns, for messages. */
export function namesOfJob({ request, whereColumns }: JobFile): Names {
  return namesOf({ tables: withWhereColumns(toDefinition(request).tables, whereColumns) });
}

/** Returns the engine's command for one run of a job file. */
export function toCommand(job: JobFile, run: RunRecord, dryRun: boolean): SyncJobCommand {
  const { source, target, replacement, request, library } = job;
  const { jobId, epoch, seed, referenceInstantMs } = run;
  return {
    ...toDefinition(request),
    ...(replacement === undefined
      ? {}
      : { replace: 'database', ignoredTables: replacement.emptyTables, ...replacement.options }),
    ...{ jobId, epoch, seed, referenceInstantMs, dryRun },
    source: { kind: 'url', url: source.url },
    target: { kind: 'url', url: target.url },
    acceptedAtMs: Date.parse(run.startedAt),
    hostedModels: library.hostedModels,
    compositions: library.compositions,
  };
}
