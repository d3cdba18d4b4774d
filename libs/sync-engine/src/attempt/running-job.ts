import type { JobMasks } from '../plan/compile-masks.js';
import type { LockRetry } from '../stage/switch/lock-retry.js';
import type { JobKeyMaterial } from '@understudy/masking';
import type { EvaluationPaths, ServerIdentity, Session } from '@understudy/postgres';
import type { FailureContexts } from '../session/failure-contexts.js';
import type { LocatedSession } from '../session/located-client.js';
import type { SyncEnvironment } from '../environment.js';
import { columnPosition } from '../plan/problems/column-failure.js';
import type { JobReporter, ProgressMeter } from '../progress/progress-meter.js';
import type { SyncWarning, SyncJobCommand } from '@understudy/sync-job';
import type { SessionRoom } from '../session/session-room.js';
import type { JobSessions } from '../session/job-sessions.js';
import type { ThreadRules } from '../copy/threads/rules-in-threads.js';
import type { Snapshot } from '../source/snapshot.js';
import type { Chunk } from '../copy/plan-chunks.js';
import type { ExistingTables } from '../stage/create/require-unaltered.js';
import type { LedgerChunk, StagedTable } from '../stage/ledger/staging-ledger.js';
import type { UsedValues } from '../verify/verify-sequences.js';
import type { TablePlan } from '../plan/table-plan.js';
import type { JoinComparison } from '../verify/joins/join-comparison.js';
import type { RowComparison } from '../verify/row-comparison.js';

/** The state that the phases of one attempt share. */
export interface RunningJob {
  readonly command: SyncJobCommand;
  readonly environment: SyncEnvironment;
  readonly reporter: Pick<JobReporter, 'report'>;
  readonly signal: AbortSignal;
  readonly contexts: FailureContexts;
  readonly material: JobKeyMaterial;
  readonly sessions: JobSessions;
  readonly meter: ProgressMeter;
  /** The warnings of the attempt so far. */
  readonly warnings: SyncWarning[];
}

/**
 * The databases of an attempt. The target is locked for this job, and `snapshot` is a snapshot of the source.
 */
export interface JobDatabases {
  readonly source: LocatedSession;
  readonly target: LocatedSession;
  readonly server: ServerIdentity;
  readonly room: SessionRoom;
  readonly snapshot: Snapshot;
  readonly open: SessionOpeners;
}

/** Opens further sessions of an attempt. */
export interface SessionOpeners {
  /** Opens a session on the source that has joined the snapshot. */
  readonly source: () => Promise<Session>;
  /** Opens a session on the target, and checks that the job's staging schema exists. */
  readonly target: () => Promise<Session>;
  /** Opens a session on the target before the job has staged anything. */
  readonly unstagedTarget: () => Promise<Session>;
}

/** A target with staged tables that are ready for rows. */
export interface StagedJob {
  readonly tables: readonly StagedTable[];
  readonly chunks: readonly Chunk[];
  /** The chunks that earlier attempts have committed. */
  readonly done: readonly LedgerChunk[];
  readonly deferredSql: string;
  readonly postDataSql: string;
  readonly swapSql: string;
  readonly warnings: readonly SyncWarning[];
  /** The existing tables before this attempt; undefined if the target has no event trigger. */
  readonly existing: ExistingTables | undefined;
  /** The last values of the role's sequences of the target before this attempt; undefined if it has no event trigger. */
  readonly usedOnTarget: UsedValues | undefined;
}

/** A job whose rows can be copied. */
export interface PreparedJob {
  readonly plans: readonly TablePlan[];
  readonly masks: JobMasks;
  /** Whether writing the rows calls functions of users, which can change other tables. */
  readonly runsCode: boolean;
  readonly staged: StagedJob;
  readonly threadRules: ThreadRules;
  readonly paths: EvaluationPaths;
}

/** A job whose chunks are all committed, and whose staged tables are complete. */
export interface CopiedJob extends PreparedJob {
  readonly ledger: readonly LedgerChunk[];
  /** Returns the FROM item of the source rows that the new rows are compared with. */
  readonly sourceRows: (plan: TablePlan) => string;
  /** The comparison, with the digests of both sides. */
  readonly comparison: RowComparison;
  /** The comparison of joins, with the digests of both sides. */
  readonly joins: JoinComparison;
}

/** Returns the numbers of rows in committed chunks, by table index. */
export function rowsByTable({
  plans,
  ledger,
}: Pick<CopiedJob, 'plans' | 'ledger'>): ReadonlyMap<number, number> {
  const rows = new Map(plans.map(({ index }) => [index, 0]));
  for (const chunk of ledger) rows.set(chunk.tableIndex, (rows.get(chunk.tableIndex) ?? 0) + chunk.rows);
  return rows;
}

/** Returns a warning for each column in which the copy has cut values to the column's length. */
export function truncationWarnings({
  plans,
  ledger,
}: Pick<CopiedJob, 'plans' | 'ledger'>): readonly SyncWarning[] {
  const cutting = ledger.filter(({ truncated }) => truncated.length > 0);
  return plans.flatMap(({ index, columnIndex }) => {
    const cut = cutting.flatMap(({ tableIndex, truncated }) => (tableIndex === index ? truncated : []));
    return [...new Set(cut)].map((column) => ({
      code: 'value_truncated',
      ...columnPosition({ index, columnIndex }, column),
    }));
  });
}

const TRY_MS = 2_000;
const WAIT_MS = 600_000;

/**
 * Creates the lock retry policy from the settings. The first wait for a lock adds the warning
 * `waited_for_lock`.
 */
export function lockRetry({
  environment,
  signal,
  warnings,
}: Pick<RunningJob, 'environment' | 'signal' | 'warnings'>): LockRetry {
  const { copy, now, log } = environment;
  return {
    tryMs: copy.lockTryMs ?? TRY_MS,
    totalMs: copy.lockWaitMs ?? WAIT_MS,
    ...{ now, log, signal },
    onWait: () => {
      if (warnings.some(({ code }) => code === 'waited_for_lock')) return;
      warnings.push({ code: 'waited_for_lock' });
    },
  };
}
