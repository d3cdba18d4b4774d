import type { SyncFailure } from '@understudy/sync-engine';

import type { HeldLease } from './leases.js';

/** Where work that is done under a lease tells of its beginning and of an end that it did not come to by itself. */
export interface WorkReporter {
  readonly hasEnded: boolean;
  /** Resolves when it is in the journal. */
  started(): Promise<void>;
  failed(failure: SyncFailure): Promise<void>;
}

/** A sync job, a snapshot that is made, or a restore. */
export interface LeasedWork {
  readonly reporter: WorkReporter;
  /** Runs to the end and reports it. */
  run(lease: HeldLease): Promise<void>;
}
