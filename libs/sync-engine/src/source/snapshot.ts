import type { LocatedClient, LocatedSession } from '../session/located-client.js';
import type { HeldSnapshot, HoldSnapshotRequest } from './snapshot-keeper.js';

/**
 * A snapshot of the source, and locks on the listed tables. Rows, training values and the dumped definition
 * are all read from this snapshot. Other sessions can join the snapshot by its id as long as it is held.
 */
export interface Snapshot {
  /** A client in a transaction that sees the snapshot. */
  readonly client: LocatedClient;
  /**
   * The id with which sessions join the snapshot. After the first `confirm`, the id stays valid for some time
   * after this process ends, so that the next attempt of the job can join too.
   */
  readonly id: string;
  /** The id of the earlier attempt's snapshot that was imported. Undefined for a new snapshot. */
  readonly joined: string | undefined;
  readonly held: HeldSource;
}

export type HeldSource = Pick<HeldSnapshot, 'lost' | 'renew' | 'confirm' | 'leave' | 'release'>;

export interface SnapshotRequest extends Omit<HoldSnapshotRequest, 'source' | 'importId' | 'isWitnessed'> {
  readonly source: LocatedSession;
  /** The id of an earlier attempt's snapshot, to import if it is still held. */
  readonly earlierId: string | undefined;
  /**
   * Whether only the keeper locks the tables, and takes a new snapshot for `source`. A job on a whole database needs half
   * the locks then, but waits for the keeper.
   */
  readonly isLockedOnce?: boolean;
  readonly onBlocked: (backendPids: readonly number[]) => void;
}
