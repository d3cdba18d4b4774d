import type { ConnectionTarget } from '@understudy/postgres';
import type { TableName, SyncFailure } from '@understudy/sync-job';

/** A table to lock, with its index in the command. */
export interface HeldTable {
  readonly index: number;
  readonly name: TableName;
}

/** The first message to a keeper without an order. It can contain a password, so it is sent only over the pipe. */
export interface HoldOrder {
  readonly kind: 'hold';
  readonly source: ConnectionTarget;
  /** The `application_name` of the keeper's session. */
  readonly sessionName: string;
  readonly tables: readonly HeldTable[];
  /**
   * The id of a snapshot to import, which another transaction must still hold. The keeper then shows the same
   * data.
   */
  readonly importId?: string;
  /**
   * Whether the agent itself checks that the imported snapshot is still held when the tables are locked. Otherwise,
   * the keeper needs another session until it holds the snapshot.
   */
  readonly isWitnessed?: boolean;
  /** The keeper exits if it has not been renewed for this many milliseconds. */
  readonly expiresAfterMs: number;
}

/** A message from the agent to the keeper. */
export type KeeperRequest =
  | HoldOrder
  | { readonly kind: 'renew' }
  /** Makes the keeper send `confirmed` if its transaction is still open. */
  | { readonly kind: 'confirm' }
  | { readonly kind: 'release' };

/** A message from the keeper to the agent. `detail` is only for the local log. */
export type KeeperReply =
  | { readonly kind: 'held'; readonly snapshotId: string; readonly backendPid: number }
  /** The keeper waits for locks that these sessions of the source hold. */
  | { readonly kind: 'blocked'; readonly backendPids: readonly number[] }
  | { readonly kind: 'confirmed' }
  /** The keeper has closed its session after `release`, and waits for another order. */
  | { readonly kind: 'released' }
  | { readonly kind: 'failed'; readonly failure: SyncFailure; readonly detail: string };
