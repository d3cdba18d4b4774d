import type { LocatedClient } from '../session/located-client.js';
import { type HeldSnapshot, holdSnapshot } from './snapshot-keeper.js';
import type { HeldSource, Snapshot, SnapshotRequest } from './snapshot.js';
import { beginSnapshot } from './snapshot-transaction.js';
import { reportBlockers } from './report-blockers.js';

/**
 * Takes a new snapshot in the session `source`, and starts a keeper that imports the snapshot. The job can
 * already read from the snapshot while the keeper starts.
 * @throws SyncJobError as `beginSnapshot` does
 */
export async function takePresent(request: Omit<SnapshotRequest, 'earlierId'>): Promise<Snapshot> {
  const { source, tables, signal, onBlocked } = request;
  const waiting = new AbortController();
  // The report is only for the log, so its errors are ignored.
  reportBlockers(source.target, source.backendPid, waiting.signal, onBlocked).catch(() => undefined);
  const id = await beginSnapshot(source.client.plain, { source: source.target, tables }).finally(() => {
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
    readonly client: LocatedClient,
    private readonly ownId: string,
    holding: Promise<HeldSnapshot>,
    ended: AbortController,
  ) {
    const gone = new AbortController();
    const started = holding.then(
      (keeper) => {
        this.keeper = keeper;
        keeper.lost.addEventListener('abort', () => {
          gone.abort(keeper.lost.reason);
        });
      },
      (error: unknown) => {
        gone.abort(error); // `confirm` throws the error
      },
    );
    this.held = {
      lost: gone.signal,
      // Before the keeper holds the snapshot there is nothing to renew.
      renew: () => this.keeper?.renew(),
      confirm: async () => (await holding).confirm(),
      leave: () => void started.then(() => this.keeper?.leave()),
      release: async () => {
        ended.abort(new Error('the snapshot was released'));
        await started;
        await this.keeper?.release();
      },
    };
  }

  /**
   * Returns the id of the keeper's snapshot as soon as the keeper holds one, because that snapshot outlives
   * this session. Until then, returns the id of this session's own snapshot. Both snapshots show the same
   * data.
   */
  get id(): string {
    return this.keeper?.snapshotId ?? this.ownId;
  }
}
