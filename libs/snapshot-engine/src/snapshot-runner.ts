import type { SnapshotCounts, SnapshotFailure } from '@understudy/agent-protocol';
import { withServerSession } from '@understudy/database-swap';
import { errorDetail } from '@understudy/postgres';
import { defined } from '@understudy/sync-job';
import { readAttributes } from './archive/archive-attributes.js';
import { remainingRetentionMs } from './archive/retention.js';
import { takeSnapshot } from './create/take-snapshot.js';
import { inspectTarget, diskSpaceCheck } from './restore/inspect-target.js';
import { dropExpiredDatabases } from './restore/kept-databases.js';
import { openRecordedTarget, type OpenTarget } from './restore/recorded-target.js';
import { RecoveryRecords } from './restore/recovery-records.js';
import { restoreSnapshot } from './restore/restore-snapshot.js';
import { resolveRestore, type RestoreOutcome } from './restore/resolve-restore.js';
import {
  archiveId,
  parseArchiveId,
  type CreateSnapshotCommand,
  type DeleteSnapshotCommand,
  type RestorePrecheckRequest,
  type RestoreSnapshotCommand,
} from './job/snapshot-command.js';
import type { SnapshotEnvironment } from './snapshot-environment.js';
import { snapshotFailureOf } from './job/snapshot-failure.js';
import type { RestoreReporter, SnapshotReporter } from './job/snapshot-reporter.js';
import { sweepWorkingFolders } from './job/working-folder.js';

/** A restore that an earlier process did not finish, and its result. */
export interface RecoveredRestore {
  readonly restoreId: string;
  readonly epoch: number;
  readonly outcome: RestoreOutcome;
  readonly counts: SnapshotCounts;
  readonly durationMs: number;
  /** For how long the replaced database is kept, in hours. Absent if there is none, or it was dropped. */
  readonly keptHours?: number;
}

export class SnapshotRunner {
  constructor(private readonly environment: SnapshotEnvironment) {}

  /**
   * Runs one attempt to create a snapshot, and reports its end. Error details go only to the local log. Never
   * throws.
   * @param signal aborts the attempt. If its reason is a SyncJobError, the attempt reports the code of that error,
   * otherwise `lease_lost`.
   */
  async create(
    command: CreateSnapshotCommand,
    reporter: SnapshotReporter,
    signal: AbortSignal,
  ): Promise<void> {
    const startMs = performance.now();
    try {
      const result = await takeSnapshot(command, this.environment, reporter, signal);
      const durationMs = Math.round(performance.now() - startMs);
      await reporter.report({ type: 'ready', made: { ...result, durationMs } });
    } catch (error) {
      await this.fail(command.snapshotId, reporter, signal, error);
    }
  }

  /** Runs one attempt at a restore, and reports its end like {@link create}. */
  async restore(
    command: RestoreSnapshotCommand,
    reporter: RestoreReporter,
    signal: AbortSignal,
  ): Promise<void> {
    const startMs = performance.now();
    try {
      const restored = await restoreSnapshot(command, this.environment, reporter, signal);
      const durationMs = Math.round(performance.now() - startMs);
      await reporter.report({ type: 'completed', ...restored, durationMs });
    } catch (error) {
      return this.fail(command.restoreId, reporter, signal, error);
    }
    await this.environment.reached('reported');
  }

  /**
   * Removes the archives of attempts at a snapshot that have an epoch below `beforeEpoch`. If that is 0, removes the
   * archives of all attempts. Includes unfinished and damaged archives. Keeps archives that the policy protects.
   * @returns the milliseconds until the policy no longer protects any of the archives; 0 if none is protected
   * @throws SnapshotStoreError
   */
  async delete({ snapshotId, beforeEpoch }: DeleteSnapshotCommand): Promise<number> {
    const { store, reached } = this.environment;
    let longestMs = 0;
    const ids: string[] = [];
    for await (const id of store.ids(`${snapshotId}-`)) {
      const attempt = parseArchiveId(id);
      if (attempt?.snapshotId === snapshotId && (beforeEpoch === 0 || attempt.epoch < beforeEpoch))
        ids.push(id);
    }
    for (const id of ids) {
      const keptMs = await remainingRetentionMs(id, this.environment);
      longestMs = Math.max(longestMs, keptMs);
      if (keptMs > 0) continue;
      await store.remove(id);
      await reached('archive_deleted');
    }
    return longestMs;
  }

  /**
   * Removes the files that an interrupted attempt may have stored. If the store is unreachable, a later
   * sweep removes the unfinished archive. Never throws.
   */
  async forget(snapshotId: string, epoch: number): Promise<void> {
    try {
      await this.environment.store.remove(archiveId(snapshotId, epoch));
    } catch (error) {
      this.environment.log.warn(
        { snapshotId, detail: errorDetail(error) },
        'the files of an interrupted attempt could not be removed',
      );
    }
  }

  /**
   * @returns the failure that a restore would have now, or undefined if a restore is possible. Never throws.
   */
  async precheckRestore(
    request: RestorePrecheckRequest,
    signal: AbortSignal,
  ): Promise<SnapshotFailure | undefined> {
    const { policy, store } = this.environment;
    try {
      const target = policy.resolveDatabase(request.target, 'restore');
      const { manifest } = await store.open(archiveId(request.snapshotId, request.snapshotEpoch), {
        signal,
      });
      const attributes = readAttributes(manifest);
      const { restoreId, overwrite } = request;
      const asked = {
        ...{ restoreId, target, manifest, attributes, overwrite, signal },
        ...{
          graceMs: PRECHECK_GRACE_MS,
          ignores: 'jobs' as const,
          diskSpace: diskSpaceCheck(this.environment),
        },
      };
      await withServerSession(target, (session) => inspectTarget(asked, session));
      return undefined;
    } catch (error) {
      const failure = snapshotFailureOf(error, signal);
      this.environment.log.warn(
        { restoreId: request.restoreId, failure, detail: errorDetail(error) },
        'a restore is not possible at present',
      );
      return failure;
    }
  }

  /**
   * Cleans up after an earlier process. Call it before the first attempt of this process. If a server is
   * unreachable, the agent tries again at its next start.
   * @param openTarget decrypts the `sealedTarget` of a restore's command
   * @returns the interrupted restores
   */
  async recover(openTarget: OpenTarget): Promise<readonly RecoveredRestore[]> {
    const { workFolder, recordsFolder, now, log } = this.environment;
    for (const folder of new Set([workFolder, recordsFolder])) await sweepWorkingFolders(folder);
    // Not awaited: a store that does not respond for minutes must not delay the agent.
    void this.sweepStore();
    const records = RecoveryRecords.ofRestores(recordsFolder);
    const recovered: RecoveredRestore[] = [];
    for (const record of await records.all(log)) {
      const { restoreId, epoch, counts, startedAtMs } = record;
      try {
        const target = await openRecordedTarget(record, this.environment, openTarget);
        const outcome = await resolveRestore(target, record, this.environment);
        const keptHours = record.keeps && Math.round(record.keeps.forMs / HOUR_MS);
        const durationMs = Math.max(0, now() - startedAtMs);
        recovered.push({ restoreId, epoch, outcome, counts, durationMs, ...defined({ keptHours }) });
        log.info({}, `${restoreId} (epoch ${epoch}) was interrupted: ${outcome}`);
      } catch (error) {
        log.warn(
          { restoreId, detail: errorDetail(error) },
          'the cleanup after a restore failed; the next start tries again',
        );
      }
    }
    return recovered;
  }

  /**
   * Drops replaced databases that agents of earlier versions have kept, and whose retention has ended.
   * @throws if the records cannot be read
   */
  dropReplaced(openTarget: OpenTarget): Promise<void> {
    return dropExpiredDatabases(this.environment, openTarget);
  }

  /**
   * Removes unfinished archives that no attempt has written to for a week, including those of other agents.
   */
  private async sweepStore(): Promise<void> {
    const { store, now } = this.environment;
    try {
      await store.sweepUnfinished({ olderThan: new Date(now() - ABANDONED_AFTER_MS) });
    } catch (error) {
      this.environment.log.warn({ detail: errorDetail(error) }, 'the store could not be swept');
    }
  }

  private async fail(
    id: string,
    reporter: SnapshotReporter | RestoreReporter,
    signal: AbortSignal,
    error: unknown,
  ): Promise<void> {
    const failure = snapshotFailureOf(error, signal);
    this.environment.log.error({ id, failure, detail: errorDetail(error) }, 'the attempt failed');
    try {
      await reporter.report({ type: 'failed', failure });
    } catch (reportError) {
      this.environment.log.error(
        { id, detail: errorDetail(reportError) },
        'the failure could not be reported',
      );
    }
  }
}

const HOUR_MS = 3_600_000;
const ABANDONED_AFTER_MS = 7 * 24 * 60 * 60 * 1000;
/** How long a pre-check waits for other sessions to leave the target. The control plane waits five seconds for it. */
const PRECHECK_GRACE_MS = 1_500;
