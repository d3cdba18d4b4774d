import type { ConnectionTarget } from '@understudy/postgres';
import type { TableName, SyncFailure } from '@understudy/sync-job';

/** A table to hold, with its place in the command. */
export interface HeldTable {
  readonly index: number;
  readonly name: TableName;
}

/** What the keeper is to do: the first message it gets, over the pipe alone. */
export interface HoldOrder {
  readonly kind: 'hold';
  readonly source: ConnectionTarget;
  /** Its session's `application_name`. */
  readonly sessionName: string;
  readonly tables: readonly HeldTable[];
  /** A snapshot that another keeper still holds. */
  readonly importId?: string;
  /** How long it stays after the last renewal. */
  readonly expiresAfterMs: number;
}

/** From the agent to the keeper. */
export type KeeperRequest =
  | HoldOrder
  | { readonly kind: 'renew' }
  /** Does the transaction still stand? */
  | { readonly kind: 'confirm' }
  | { readonly kind: 'release' };

/** From the keeper to the agent. What it says of errors stays on this machine. */
export type KeeperReply =
  | { readonly kind: 'held'; readonly snapshotId: string; readonly backendPid: number }
  /** Sessions of the source that it waits for before it can hold the tables. */
  | { readonly kind: 'blocked'; readonly backendPids: readonly number[] }
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'failed'; readonly failure: SyncFailure; readonly detail: string };
