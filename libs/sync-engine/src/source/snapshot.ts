import type { LocatedClient, LocatedSession } from '../session/located-client.js';
import type { HeldSnapshot, KeeperProcess } from './snapshot-keeper.js';
import type { HeldTable } from './keeper-messages.js';

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

export interface SnapshotRequest {
  readonly source: LocatedSession;
  /** The `application_name` of the keeper's session. */
  readonly sessionName: string;
  readonly tables: readonly HeldTable[];
  /** The id of an earlier attempt's snapshot, to import if it is still held. */
  readonly earlierId: string | undefined;
  /** See {@link holdSnapshot}. */
  readonly expiresAfterMs?: number | undefined;
  readonly signal: AbortSignal;
  /** A keeper process that has no order yet. If undefined, a new one is started. */
  readonly keeper?: KeeperProcess;
  readonly onBlocked: (backendPids: readonly number[]) => void;
}
