import { Logger } from '@nestjs/common';
import { errorDetail } from '@understudy/sync-engine';
import { readAttributes } from './archive-attributes.js';
import { keptForMs } from './kept-for.js';
import { takeSnapshot } from './create/take-snapshot.js';
import { inspectTarget, roomToKeep } from './postgres/inspect-target.js';
import { unmark } from './postgres/understudy-database.js';
import { dropKeptDatabases, type OpenTarget } from './restore/kept-databases.js';
import { Notes } from './restore/restore-note.js';
import { restoreSnapshot } from './restore/restore-snapshot.js';
import { settleRestore, type SettledRestore } from './restore/settle-restore.js';
import {
  archiveId,
  attemptOfArchive,
  type CreateSnapshotCommand,
  type DeleteSnapshotCommand,
  type RestoreQuestion,
  type RestoreSnapshotCommand,
} from './snapshot-command.js';
import type { SnapshotEnvironment } from './snapshot-environment.js';
import { snapshotFailureOf, type SnapshotFailure } from './snapshot-failure.js';
import type { RestoreReporter, SnapshotCounts, SnapshotReporter } from './snapshot-reporter.js';
import { sweepWorkingFolders } from './working-folder.js';

/** A restore that an earlier process did not end, and what it came to. */
export interface RecoveredRestore {
  readonly restoreId: string;
  readonly epoch: number;
  readonly outcome: SettledRestore;
  readonly counts: SnapshotCounts;
  readonly durationMs: number;
}

/** Makes, restores and deletes snapshots. Injected by this class. */
export class SnapshotRunner {
  private readonly logger = new Logger(SnapshotRunner.name);
  private readonly unmarking = new Set<Promise<void>>();

  constructor(private readonly environment: SnapshotEnvironment) {}

  /**
   * Runs one attempt to its end, which it reports. Detail of an error goes to the local log and nowhere else. Never throws.
   * @param signal its reason may be a SyncJobError; anything else means that the lease was lost
   */
  async create(
    command: CreateSnapshotCommand,
    reporter: SnapshotReporter,
    signal: AbortSignal,
  ): Promise<void> {
    const startMs = this.environment.now();
    try {
      const result = await takeSnapshot(command, this.environment, reporter, signal);
      await reporter.ended({ ...result, durationMs: this.environment.now() - startMs });
    } catch (error) {
      await this.fail(command.snapshotId, reporter, signal, error);
    }
  }

  /** The same for a restore. */
  async restore(
    command: RestoreSnapshotCommand,
    reporter: RestoreReporter,
    signal: AbortSignal,
  ): Promise<void> {
    const startMs = this.environment.now();
    try {
      const counts = await restoreSnapshot(command, this.environment, reporter, signal);
      await reporter.ended({ counts, durationMs: this.environment.now() - startMs });
    } catch (error) {
      return this.fail(command.restoreId, reporter, signal, error);
    }
    await this.environment.reached('reported');
    if (!(await reporter.isKnown())) return;
    const unmarking = this.unmark(command).finally(() => this.unmarking.delete(unmarking));
    this.unmarking.add(unmarking);
  }

  /** What cannot be taken away stays, and says nothing but that the database was restored. */
  private async unmark({ restoreId, target }: RestoreSnapshotCommand): Promise<void> {
    try {
      await unmark(this.environment.policy.resolveDatabase(target, 'restore'));
    } catch (error) {
      this.logger.warn({ restoreId, detail: errorDetail(error) }, 'the mark of the restore stays');
    }
  }

  /** Resolves when no restored database has a mark that can be taken away. */
  async whenUnmarked(): Promise<void> {
    await Promise.all(this.unmarking);
  }

  /**
   * Removes attempts at a snapshot; being made or finished, damaged or whole, or not there. The policy may keep some of them.
   * @returns for how many milliseconds it keeps the youngest; 0: nothing of the attempts is left
   * @throws SnapshotStoreError
   */
  async delete({ snapshotId, beforeEpoch }: DeleteSnapshotCommand): Promise<number> {
    const { store, reached } = this.environment;
    let longestMs = 0;
    const ids: string[] = [];
    for await (const id of store.ids(`${snapshotId}-`)) {
      const attempt = attemptOfArchive(id);
      if (attempt?.snapshotId === snapshotId && (beforeEpoch === 0 || attempt.epoch < beforeEpoch))
        ids.push(id);
    }
    for (const id of ids) {
      const keptMs = await keptForMs(id, this.environment);
      longestMs = Math.max(longestMs, keptMs);
      if (keptMs > 0) continue;
      await store.remove(id);
      await reached('archive_deleted');
    }
    return longestMs;
  }

  /** Removes what an attempt that was cut off may have stored. A store that is away is left to the next sweep. Never throws. */
  async forget(snapshotId: string, epoch: number): Promise<void> {
    try {
      await this.environment.store.remove(archiveId(snapshotId, epoch));
    } catch (error) {
      this.logger.warn({ snapshotId, detail: errorDetail(error) }, 'what an attempt stored is still there');
    }
  }

  /** @returns what would stand in a restore's way now; undefined: nothing. Never throws. */
  async obstacle(question: RestoreQuestion, signal: AbortSignal): Promise<SnapshotFailure | undefined> {
    const { policy, store } = this.environment;
    try {
      const target = policy.resolveDatabase(question.target, 'restore');
      const { manifest } = await store.open(archiveId(question.snapshotId, question.snapshotEpoch), {
        signal,
      });
      const attributes = readAttributes(manifest);
      const { restoreId, overwrite } = question;
      const asked = { restoreId, target, manifest, attributes, overwrite };
      await inspectTarget({
        ...asked,
        graceMs: QUESTION_GRACE_MS,
        room: roomToKeep(this.environment),
        signal,
      });
      return undefined;
    } catch (error) {
      const failure = snapshotFailureOf(error, signal);
      this.logger.warn(
        { restoreId: question.restoreId, failure, detail: errorDetail(error) },
        'would not restore',
      );
      return failure;
    }
  }

  /**
   * Clears up after an earlier process; before the first attempt of this one. What cannot be cleared up now (a server is away) is left for the
   * next start.
   * @param openTarget opens what `sealedTarget` of a restore's command was @returns restores that were cut off
   */
  async recover(openTarget: OpenTarget): Promise<readonly RecoveredRestore[]> {
    const { workFolder, notesFolder, policy, now } = this.environment;
    for (const folder of new Set([workFolder, notesFolder])) await sweepWorkingFolders(folder);
    // A store that does not answer for minutes does not keep the agent from its work.
    void this.sweepStore();
    const notes = Notes.ofRestores(notesFolder);
    const recovered: RecoveredRestore[] = [];
    for (const note of await notes.all()) {
      const { restoreId, epoch, counts, startedAtMs } = note;
      try {
        const target = policy.resolveDatabase(await openTarget(note.sealedTarget, restoreId), 'restore');
        const outcome = await settleRestore(target, note, this.environment);
        recovered.push({ restoreId, epoch, outcome, counts, durationMs: Math.max(0, now() - startedAtMs) });
        this.logger.log(`${restoreId} (epoch ${epoch}) was interrupted: ${outcome}`);
      } catch (error) {
        this.logger.warn({ restoreId, detail: errorDetail(error) }, 'what a restore left is still there');
      }
    }
    return recovered;
  }

  /** Drops databases that restores have replaced and whose time is over, also those of earlier processes. @throws when the notes cannot be read */
  dropReplaced(openTarget: OpenTarget): Promise<void> {
    return dropKeptDatabases(this.environment, openTarget);
  }

  /** Of attempts that nobody remembers, of agents that share the store too: whatever makes a snapshot writes to it more often. */
  private async sweepStore(): Promise<void> {
    const { store, now } = this.environment;
    try {
      await store.sweepUnfinished({ olderThan: new Date(now() - FORGOTTEN_MS) });
    } catch (error) {
      this.logger.warn({ detail: errorDetail(error) }, 'the store was not swept');
    }
  }

  private async fail(
    id: string,
    reporter: { failed(failure: SnapshotFailure): Promise<void> },
    signal: AbortSignal,
    error: unknown,
  ): Promise<void> {
    const failure = snapshotFailureOf(error, signal);
    this.logger.error({ id, failure, detail: errorDetail(error) }, 'failed');
    try {
      await reporter.failed(failure);
    } catch (reportError) {
      this.logger.error({ id, detail: errorDetail(reportError) }, 'the failure could not be reported');
    }
  }
}

const FORGOTTEN_MS = 7 * 24 * 60 * 60 * 1000;
/** All that a caller who waits five seconds can wait for others to leave. */
const QUESTION_GRACE_MS = 1_500;
