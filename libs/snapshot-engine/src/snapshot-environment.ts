import type { SnapshotStore } from '@understudy/snapshot-store';
import type { ConnectionTarget, DatabaseReference, PgToolPlaces } from '@understudy/sync-engine';
import type { ReachSnapshotStep } from './snapshot-step.js';

/** What snapshots ask of the agent's policy, which has the last word. */
export interface SnapshotPolicy {
  /** @throws SyncJobError policy_denied, before anything is connected */
  resolveDatabase(reference: DatabaseReference, role: 'snapshot' | 'restore'): ConnectionTarget;
  /** How old a snapshot is before it may be deleted; 0: of any age. */
  readonly minSnapshotAgeMs: number;
  /** For how long a database is kept after a restore with `overwrite` has replaced it; 0: it is dropped at once. */
  readonly keepReplacedMs: number;
  /** Whether names of tables may be told that a command does not name itself. */
  readonly reportsNames: boolean;
}

/** What all snapshots of this agent have in common. */
export interface SnapshotEnvironment {
  readonly policy: SnapshotPolicy;
  readonly store: SnapshotStore;
  /** The store's own first, then those that sealed earlier archives. */
  readonly keys: readonly Uint8Array[];
  readonly tools: PgToolPlaces;
  /** Sessions that pg_dump and pg_restore work with at once. */
  readonly connections: number;
  /** Absolute, private to this agent. What is in work lies here compressed and not encrypted; nothing that a restart needs. */
  readonly workFolder: string;
  /** Absolute, private to this agent, and on a disk: what restores have to clear up is written down here. */
  readonly notesFolder: string;
  /** How long sessions of others may take to leave a target, in all. */
  readonly graceMs: number;
  /** Free bytes of the disk that holds a folder of this machine; undefined: there is no such folder, or it cannot be asked. */
  readonly freeBytesAt: (folder: string) => Promise<number | undefined>;
  readonly now: () => number;
  readonly reached: ReachSnapshotStep;
}
