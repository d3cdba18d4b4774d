import type { SnapshotStore } from '@understudy/snapshot-store';
import type { ConnectionTarget, EngineLog, PgToolLocations } from '@understudy/postgres';
import type { DatabaseReference } from '@understudy/sync-job';
import type { ReachSnapshotStep } from './job/snapshot-step.js';

/** Rules of the agent's policy that apply to snapshots. */
export interface SnapshotPolicy {
  /** @throws SyncJobError `policy_denied`, before any connection is opened */
  resolveDatabase(reference: DatabaseReference, role: 'snapshot' | 'restore'): ConnectionTarget;
  /** Minimum age at which a snapshot may be deleted; 0 allows any age. */
  readonly minSnapshotAgeMs: number;
  /** How long a database is kept after a restore with `overwrite` replaced it; 0 drops it immediately. */
  readonly keepReplacedMs: number;
  /** Whether table names that a command does not list may be reported. */
  readonly reportsNames: boolean;
}

/** Dependencies and settings that all snapshots of this agent share. */
export interface SnapshotEnvironment {
  readonly policy: SnapshotPolicy;
  readonly store: SnapshotStore;
  /** The store's current key, followed by the keys that sealed earlier archives. */
  readonly keys: readonly Uint8Array[];
  readonly tools: PgToolLocations;
  /** Number of parallel sessions of pg_dump and pg_restore. */
  readonly connections: number;
  /**
   * Absolute path of a folder that only this agent can read. It holds dumps in progress, compressed but not
   * encrypted. After a restart, no dump in it is needed.
   */
  readonly workFolder: string;
  /**
   * Absolute path of a folder that only this agent can read. It holds the recovery records of restores, which
   * must survive a restart.
   */
  readonly recordsFolder: string;
  /** How long a restore waits for other sessions to leave its target. */
  readonly graceMs: number;
  /**
   * @returns the number of free bytes on the disk of a local folder; undefined if the folder does not exist or
   * cannot be read
   */
  readonly freeBytesAt: (folder: string) => Promise<number | undefined>;
  /** The instant in milliseconds since 1970. Durations are measured with `performance.now()`. */
  readonly now: () => number;
  readonly log: EngineLog;
  readonly reached: ReachSnapshotStep;
}
