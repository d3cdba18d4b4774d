import type { BuiltinLibrary } from '@understudy/builtin-models';
import type { EngineLog, PgToolPlaces } from '@understudy/postgres';
import type { HostedModels } from './models/hosted-models.js';
import type { ModelStore } from './models/model-store.js';
import type { ReachStep } from './steps.js';
import type { EngineKeys, SyncPolicy } from './policy.js';

/** What all jobs of this machine have in common. */
export interface SyncEnvironment {
  readonly policy: SyncPolicy;
  readonly keys: Pick<EngineKeys, 'maskingKey'>;
  readonly tools: PgToolPlaces;
  readonly copy: Pick<
    SyncSettings,
    | 'connections'
    | 'chunkBytes'
    | 'maskingThreads'
    | 'threadFromBytes'
    | 'swapFromBytes'
    | 'snapshotHeldMs'
    | 'lockWaitMs'
    | 'lockTryMs'
  >;
  readonly models: ModelStore;
  readonly hostedModels: Pick<HostedModels, 'files'>;
  readonly builtin: BuiltinLibrary;
  readonly now: () => number;
  readonly log: EngineLog;
  /** Told of every step; the job goes on when it resolves. */
  readonly reached: ReachStep;
}

/**
 * Calls the listener each time the job's lease has been renewed: what must not outlive the lease for long is renewed with it.
 * @returns ends that
 */
export type OnLeaseRenewed = (listener: () => void) => () => void;

/** What jobs need to be told of the machine they run on. */
export interface SyncSettings {
  readonly stateDir: string;
  /** Pairs of connections that one job copies over. */
  readonly connections: number;
  /** About how much of a table, on disk, is copied as one unit. */
  readonly chunkBytes: number;
  /** Threads of one job that mask rows, started when a table is worth it; 0 or nothing: rows are masked where they are moved. */
  readonly maskingThreads?: number;
  /** So much of a table, on disk, is worth a thread. */
  readonly threadFromBytes?: number;
  /** So much of existing tables, on the source's disk, is worth making others that are swapped for them; more where they are many. */
  readonly swapFromBytes?: number;
  /** How long the source stays held for a next attempt when this process is gone. Default: a minute, which outlives a lease. */
  readonly snapshotHeldMs?: number;
  /** How long a job stands back, in all, for sessions of the target that hold what it needs. Default: ten minutes. */
  readonly lockWaitMs?: number;
  /** How long others may queue behind one try of it. Default: two seconds. */
  readonly lockTryMs?: number;
  /** Where pg_dump and pg_restore are; without it `searchPath`, then Debian's folders. */
  readonly pgBinDir?: string | undefined;
  /** The environment's PATH. */
  readonly searchPath?: string | undefined;
}
