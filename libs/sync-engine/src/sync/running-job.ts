import type { CellMask, JobKeyMaterial } from '@understudy/masking';
import type { ServerIdentity, Session } from '@understudy/postgres';
import type { FailureContexts } from './failure-contexts.js';
import type { JobReporter } from './job-reporter.js';
import type { SyncWarning, SyncJobCommand } from '@understudy/sync-job';
import type { JobSessions } from './job-sessions.js';
import type { RulesApart } from './masking/masked-apart.js';
import type { ProgressMeter } from './progress/progress-meter.js';
import type { Snapshot } from './snapshot/snapshot.js';
import type { StagedJob } from './stage-job.js';
import { rowsInLedger } from './staging/rows-in-ledger.js';
import type { LedgerChunk } from './staging/staging-ledger.js';
import type { SyncEnvironment } from './sync-environment.js';
import type { TablePlan } from './table-plan.js';
import type { RowComparison } from './verification/row-comparison.js';

/** What the phases of one attempt share. */
export interface RunningJob {
  readonly command: SyncJobCommand;
  readonly environment: SyncEnvironment;
  readonly reporter: Pick<JobReporter, 'progress' | 'modelTrained'>;
  readonly signal: AbortSignal;
  readonly contexts: FailureContexts;
  readonly material: JobKeyMaterial;
  readonly sessions: JobSessions;
  readonly meter: ProgressMeter;
  /** Of the attempt so far. */
  readonly warnings: SyncWarning[];
}

/** The target is taken, and the source held. */
export interface JobDatabases {
  readonly source: Session;
  readonly target: Session;
  readonly server: ServerIdentity;
  readonly snapshot: Snapshot;
}

/** A job whose rows may move. */
export interface PreparedJob {
  readonly plans: readonly TablePlan[];
  /** By table index. */
  readonly masks: readonly ReadonlyMap<string, CellMask>[];
  readonly staged: StagedJob;
  readonly apart: RulesApart;
}

/** A job whose chunks are all committed, and its tables whole. */
export interface CopiedJob extends PreparedJob {
  readonly ledger: readonly LedgerChunk[];
  /** Has read both sides. */
  readonly comparison: RowComparison;
}

/** Rows of committed chunks, by table index. */
export function rowsByTable({
  plans,
  ledger,
}: Pick<CopiedJob, 'plans' | 'ledger'>): ReadonlyMap<number, number> {
  return new Map(plans.map(({ index }) => [index, rowsInLedger(ledger, index)]));
}
