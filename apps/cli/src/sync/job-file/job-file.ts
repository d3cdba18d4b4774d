import {
  copiedTables,
  type Names,
  namesOf,
  type PolicyFields,
  type SyncJobCommand,
  type SyncRequest,
  toDefinition,
  withWhereColumns,
} from '@understudy/sync-job';
import type { RunRecord } from '../state/run-record.js';
import type { JobFilesLibrary } from './job-files-library.js';
import type { JobDatabase } from './read-database.js';

/** The content of a valid job file. */
export interface JobFile {
  readonly source: JobDatabase;
  readonly target: JobDatabase;
  /** The second login of the target, in whose sessions the code of the source runs when its database is replaced. */
  readonly buildLogin: JobDatabase | undefined;
  /** The database from which the new one is created. */
  readonly template: string | undefined;
  readonly policy: PolicyFields;
  readonly request: SyncRequest;
  /** For each condition, in the order of the tables, its columns in order of appearance. */
  readonly whereColumns: readonly (readonly string[])[];
  readonly library: JobFilesLibrary;
}

/** Returns the names of a job file's tables and columns, for messages. */
export function namesOfJob({ request, whereColumns }: JobFile): Names {
  return namesOf({ tables: withWhereColumns(toDefinition(request).tables, whereColumns) });
}

/** Returns the names of the tables whose rows the job copies. Events refer to them by index. */
export function tablesOfJob({ request }: JobFile): readonly string[] {
  return copiedTables(toDefinition(request).tables).map(({ name }) => name);
}

/** Returns the fields that stand for keys of an agent's policy, as a dry run lists them. Leaves out passwords. */
export function policyOf({ buildLogin, template, policy }: JobFile): ListedFields {
  return {
    'target.build_connection_string': buildLogin?.target.display ?? null,
    'target.template': template ?? null,
    ...policy,
  };
}

/** The values of fields by their names. Null for a field that is not set. */
export type ListedFields = Readonly<Record<string, string | number | boolean | null>>;

/** Returns the engine's command for one run of a job file. */
export function toCommand(job: JobFile, run: RunRecord, dryRun: boolean): SyncJobCommand {
  const { source, target, request, library } = job;
  const { jobId, epoch, seed, referenceInstantMs } = run;
  return {
    ...toDefinition(request),
    ...{ jobId, epoch, seed, referenceInstantMs, dryRun },
    source: { kind: 'url', url: source.url },
    target: { kind: 'url', url: target.url },
    acceptedAtMs: Date.parse(run.startedAt),
    hostedModels: library.hostedModels,
    compositions: library.compositions,
  };
}
