import type { BuiltinLibrary } from '@understudy/builtin-models';
import type { EngineLog, PgToolLocations } from '@understudy/postgres';
import type { LocalNames } from './local-names.js';
import type { HostedModels } from './models/hosted-models.js';
import type { ModelStore } from './models/model-store.js';
import type { ReachStep } from './sync-steps.js';
import type { EngineKeys, SyncPolicy } from './policy.js';

/** The policy, keys, settings and services that all jobs of this machine share. */
export interface SyncEnvironment {
  readonly policy: SyncPolicy;
  readonly keys: Pick<EngineKeys, 'maskingKey'>;
  readonly tools: PgToolLocations;
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
    | 'rehearsalMs'
    | 'trialTrainingMs'
    | 'sessionWaitMs'
  >;
  readonly models: ModelStore;
  readonly hostedModels: Pick<HostedModels, 'files'>;
  readonly builtin: BuiltinLibrary;
  /** The time of a clock that is never set back, in whole milliseconds. Only differences have a meaning. */
  readonly now: () => number;
  readonly log: EngineLog;
  /** Receives names that stay on this machine. Agents omit it, because their log has the names. */
  readonly onNames?: (names: LocalNames) => void;
  /** Called at every step. The job waits for the returned promise. */
  readonly reached: ReachStep;
}

/**
 * Registers the job's snapshot of the source immediately after it was taken. `renew` is called regularly as
 * long as this process holds the job's lease, even while it has no contact to the control plane.
 * @returns a function that ends the registration. Call it when the job needs the snapshot no more.
 */
export type KeepSnapshot = (renew: () => void) => () => void;

/** The settings of the machine on which jobs run. */
export interface SyncSettings {
  readonly stateDir: string;
  /** The number of connection pairs with which one job copies rows. */
  readonly connections: number;
  /** The approximate size of one chunk, in bytes of the table on disk. */
  readonly chunkBytes: number;
  /**
   * The number of worker threads with which one job masks rows. If 0 or undefined, the main thread masks
   * them.
   */
  readonly maskingThreads?: number;
  /**
   * Worker threads mask only tables whose remaining chunks have at least this many bytes on disk. Default:
   * 16,000,000.
   */
  readonly threadFromBytes?: number;
  /**
   * Existing tables are swapped if together they have at least this many bytes on the source's disk. Each
   * table adds 1/32 to this minimum. Default: 8 MiB.
   */
  readonly swapFromBytes?: number;
  /**
   * How long the snapshot of the source is kept for the next attempt after this process has ended. Default:
   * 60,000, which is longer than a lease.
   */
  readonly snapshotHeldMs?: number;
  /** For how long a job retries to lock tables that other sessions use. Default: 600,000. */
  readonly lockWaitMs?: number;
  /** For how long one try may block other sessions in the lock queue. Default: 2,000. */
  readonly lockTryMs?: number;
  /**
   * For how long a transaction that tries definitions and rows on the target may run, and wait for a lock.
   * Default: 2,000.
   */
  readonly rehearsalMs?: number;
  /** For how long a job waits for the sessions that it needs, before it writes. Default: 15,000. */
  readonly sessionWaitMs?: number;
  /** For how long a dry run trains models. Default: 600,000. */
  readonly trialTrainingMs?: number;
  /**
   * The folder of pg_dump and pg_restore. If undefined, the agent searches the folders of `searchPath`, and
   * then the folders in which Debian installs these programs.
   */
  readonly pgBinDir?: string | undefined;
  /** The value of the environment variable PATH. */
  readonly searchPath?: string | undefined;
  /** An existing folder for the files of pg_dump. If undefined, the system's temporary folder is used. */
  readonly temporaryFolder?: string | undefined;
}
