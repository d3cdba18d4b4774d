import type { Client } from '@understudy/postgres';
import { type HeldSnapshot, holdSnapshot } from './snapshot-keeper.js';
import type { HeldSource, Snapshot, SnapshotRequest } from './snapshot.js';
import { beginSnapshot } from './snapshot-transaction.js';
import { tellWhoBlocks } from './report-blockers.js';

/**
 * The present, held by the source's own session from now on, and by the keeper as soon as that has joined: a process takes longer to start
 * than a transaction, and what is read meanwhile is the same.
 * @throws SyncJobError as `beginSnapshot` does
 */
export async function takePresent(request: Omit<SnapshotRequest, 'earlierId'>): Promise<Snapshot> {
  const { source, tables, signal, onBlocked } = request;
  const waiting = new AbortController();
  // It only informs; what it cannot find out is not said.
  tellWhoBlocks(source.target, source.backendPid, waiting.signal, onBlocked).catch(() => undefined);
  const id = await beginSnapshot(source.client, { source: source.target, tables }).finally(() => {
    waiting.abort();
  });
  const ended = new AbortController();
  const holding = holdSnapshot({
    ...request,
    source: source.target,
    importId: id,
    signal: AbortSignal.any([signal, ended.signal]),
  });
  return new PresentSnapshot(source.client, id, holding, ended);
}

class PresentSnapshot implements Snapshot {
  readonly joined = undefined;
  readonly held: HeldSource;
  private keeper: HeldSnapshot | undefined;

  constructor(
    readonly client: Client,
    private readonly ownId: string,
    holding: Promise<HeldSnapshot>,
    ended: AbortController,
  ) {
    const gone = new AbortController();
    const settled = holding.then(
      (keeper) => {
        this.keeper = keeper;
        keeper.lost.addEventListener('abort', () => {
          gone.abort(keeper.lost.reason);
        });
      },
      (error: unknown) => {
        gone.abort(error); // and told by `confirm`
      },
    );
    this.held = {
      lost: gone.signal,
      // Until it holds, its time has hardly begun.
      renew: () => this.keeper?.renew(),
      confirm: async () => (await holding).confirm(),
      leave: () => void settled.then(() => this.keeper?.leave()),
      release: async () => {
        ended.abort(new Error('nobody needs the snapshot any more'));
        await settled;
        await this.keeper?.release();
      },
    };
  }

  /** Others can join either; the keeper's outlives this session. */
  get id(): string {
    return this.keeper?.snapshotId ?? this.ownId;
  }
}
