import type { SyncJobCommand } from '@understudy/sync-job';
import type { JobFile } from '../job-file/job-file.js';
import type { RunRecord } from '../state/run-record.js';

/** Returns the engine's command for one run of a job file. */
export function toCommand(job: JobFile, run: RunRecord, dryRun: boolean): SyncJobCommand {
  const { source, target, request, library } = job;
  const { jobId, epoch, seed, referenceInstantMs } = run;
  return {
    ...{ jobId, epoch, seed, referenceInstantMs, dryRun },
    source: { kind: 'url', url: source.url },
    target: { kind: 'url', url: target.url },
    tables: request.tables.map(({ name, columns, unlistedColumns, subset }) => ({
      name,
      columns: Object.entries(columns).map(([column, rule]) => ({ name: column, rule })),
      ...(unlistedColumns === undefined ? {} : { unlistedColumns }),
      ...(subset === undefined ? {} : { subset }),
    })),
    unlistedColumns: request.unlistedColumns,
    unlistedTables: request.unlistedTables,
    ignoredTables: request.ignoredTables,
    refreshMaterializedViews: request.refreshMaterializedViews,
    ...(request.sourceCode === undefined ? {} : { sourceCode: request.sourceCode }),
    acceptedAtMs: Date.parse(run.startedAt),
    hostedModels: library.hostedModels,
    compositions: library.compositions,
  };
}
