import type { SnapshotStore } from '@understudy/snapshot-store';
import type { ConnectionTarget, EngineLog, PgToolPlaces } from '@understudy/postgres';
import type { DatabaseReference } from '@understudy/sync-job';
import type { ReachSnapshotStep } from './job/snapshot-step.js';

/** Decisions that the agent's policy makes for snapshots. */
export interface SnapshotPolicy {
  /** @throws SyncJobError policy_denied, before anything is connected */
  resolveDatabase(reference: DatabaseReference, role: 'snapshot' | 'restore'): ConnectionTarget;
  /** Minimum age of a snapshot that may be deleted; 0 allows any age. */
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
  /** The store's current key, then those that sealed earlier archives. */
  readonly keys: readonly Uint8Array[];
  readonly tools: PgToolPlaces;
  /** Number of parallel sessions of pg_dump and pg_restore. */
  readonly connections: number;
  /** Absolute and private to this agent. Holds dumps in progress, compressed and not encrypted; a restart needs none of them. */
  readonly workFolder: string;
  /** Absolute, private to this agent and on a disk. Holds the recovery records of restores. */
  readonly recordsFolder: string;
  /** How long a restore waits for the sessions of others to leave its target. */
  readonly graceMs: number;
  /** @returns free bytes of the disk that holds a local folder; undefined if the folder does not exist or cannot be read */
  readonly freeBytesAt: (folder: string) => Promise<number | undefined>;
  readonly now: () => number;
  readonly log: EngineLog;
  readonly reached: ReachSnapshotStep;
}
