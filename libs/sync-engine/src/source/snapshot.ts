import type { Client, Session } from '@understudy/postgres';
import type { HeldSnapshot, KeeperProcess } from './snapshot-keeper.js';
import type { HeldTable } from './keeper-messages.js';

/**
 * The source as of one instant, with the listed tables held: rows, training values and the dumped definition all come from it. Others
 * can join it by its id for as long as it is held.
 */
export interface Snapshot {
  /** In a transaction that sees it. */
  readonly client: Client;
  /** To join it by, and from the first `confirm` on for whoever takes the job over. */
  readonly id: string;
  /** The id of the snapshot that it is a copy of. */
  readonly joined: string | undefined;
  readonly held: HeldSource;
}

export type HeldSource = Pick<HeldSnapshot, 'lost' | 'renew' | 'confirm' | 'leave' | 'release'>;

export interface SnapshotRequest {
  readonly source: Session;
  /** `application_name` of the keeper's session. */
  readonly sessionName: string;
  readonly tables: readonly HeldTable[];
  /** What an earlier attempt saw. */
  readonly earlierId: string | undefined;
  /** As {@link holdSnapshot} has it. */
  readonly expiresAfterMs?: number | undefined;
  readonly signal: AbortSignal;
  /** Started ahead. */
  readonly keeper?: KeeperProcess;
  readonly onBlocked: (backendPids: readonly number[]) => void;
}
