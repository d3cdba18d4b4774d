import type { Client, Session } from '../postgres/session.js';
import { type HeldSnapshot, type HolderProcess, holdSnapshot } from './snapshot/hold-snapshot.js';
import { joinSnapshot } from './snapshot/join-snapshot.js';
import { takePresent } from './snapshot/present-snapshot.js';
import type { HeldTable } from './snapshot/holder-messages.js';
import { SyncJobError } from './sync-job-error.js';

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

/** Sees what an earlier attempt saw, if somebody still holds it, and the present otherwise. Its holder may still be starting: `confirm` waits. */
export async function takeSnapshot({ earlierId, ...request }: SnapshotRequest): Promise<Snapshot> {
  if (earlierId === undefined) return takePresent(request);
  const { source, holder, ...rest } = request;
  const held = await holdSnapshot({
    ...{ ...rest, source: source.target, importId: earlierId },
    ...(holder === undefined ? {} : { holder }),
  }).catch(ignoreLost);
  // A holder takes one order in its life.
  if (held === undefined) return takePresent({ ...rest, source });
  try {
    await joinSnapshot(source.client, held.snapshotId);
  } catch (error) {
    await held.release();
    throw error;
  }
  return { client: source.client, id: held.snapshotId, joined: earlierId, held };
}

function ignoreLost(error: unknown): undefined {
  if (error instanceof SyncJobError && error.failure.code === 'snapshot_lost') return undefined;
  throw error;
}
