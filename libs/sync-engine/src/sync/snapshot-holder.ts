import type { Client, Session } from '../postgres/session.js';
import { type HeldSnapshot, type HolderProcess, holdSnapshot } from './snapshot/hold-snapshot.js';
import { joinSnapshot } from './snapshot/join-snapshot.js';
import type { HeldTable } from './snapshot/holder-messages.js';
import { SyncJobError } from './sync-job-error.js';

/**
 * The source as of one instant, with the listed tables held: rows, training values and the dumped definition all come from it. Others
 * can join it by its id for as long as it is held.
 */
export interface Snapshot {
  /** In a transaction that sees it. */
  readonly client: Client;
  readonly id: string;
  /** The id of the snapshot that it is a copy of. */
  readonly joined: string | undefined;
  readonly held: HeldSnapshot;
}

export interface SnapshotRequest {
  readonly source: Session;
  /** `application_name` of the holder's session. */
  readonly sessionName: string;
  readonly tables: readonly HeldTable[];
  /** What an earlier attempt saw. */
  readonly earlierId: string | undefined;
  /** As {@link holdSnapshot} has it. */
  readonly expiresAfterMs?: number | undefined;
  readonly signal: AbortSignal;
  /** Started ahead. */
  readonly holder?: HolderProcess;
  readonly onBlocked: (backendPids: readonly number[]) => void;
}

/** Holds what an earlier attempt saw, if somebody still holds it, and the present otherwise. */
export async function takeSnapshot(request: SnapshotRequest): Promise<Snapshot> {
  const { source, earlierId, holder, ...rest } = request;
  const order = { ...rest, source: source.target };
  const ahead = holder === undefined ? {} : { holder };
  const again =
    earlierId === undefined
      ? undefined
      : await holdSnapshot({ ...order, ...ahead, importId: earlierId }).catch(ignoreLost);
  // A holder takes one order in its life.
  const held = again ?? (await holdSnapshot(earlierId === undefined ? { ...order, ...ahead } : order));
  try {
    await joinSnapshot(source.client, held.snapshotId);
  } catch (error) {
    await held.release();
    throw error;
  }
  const joined = again === undefined ? undefined : earlierId;
  return { client: source.client, id: held.snapshotId, joined, held };
}

function ignoreLost(error: unknown): undefined {
  if (error instanceof SyncJobError && error.failure.code === 'snapshot_lost') return undefined;
  throw error;
}
