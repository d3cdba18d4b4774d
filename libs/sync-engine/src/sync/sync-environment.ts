import type { BuiltinLibrary } from '@understudy/builtin-models';
import type { EngineKeys } from '../engine-keys.js';
import type { EngineLog, PgToolPlaces } from '@understudy/postgres';
import type { HostedModels } from '../training/hosted-models.js';
import type { ModelStore } from '../training/model-store.js';
import type { ReachStep } from './sync-step.js';
import type { SyncPolicy } from './sync-policy.js';
import type { SyncSettings } from './sync-settings.js';

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
    | 'exchangeFromBytes'
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
