import { Logger, Module } from '@nestjs/common';
import { builtinLibrary } from '@understudy/builtin-models/node';
import {
  announceSteps,
  HostedModelCache,
  HostedModels,
  ModelStore,
  SyncJobRunner,
  type SyncSettings,
} from '@understudy/sync-engine';
import { Outbound } from '@understudy/outbound';
import { type EngineLog } from '@understudy/postgres';
import { AgentConfiguration } from '../config/agent-configuration.js';
import { HostedModelClient } from './hosted-model-client.js';
import { JobTables } from './job-tables.js';
import { AGENT_IDENTITY, type AgentIdentity } from '../identity/agent-identity.js';
import { Policy } from '../policy/policy.js';
import { SYNC_SETTINGS } from '../config/configuration.module.js';

const log = nestEngineLog(new Logger('SyncEngine'));

/** Provides the engine of sync jobs. Settings, identity and policy come from global modules. */
@Module({
  providers: [
    {
      provide: ModelStore,
      inject: [SYNC_SETTINGS, AGENT_IDENTITY],
      useFactory: ({ stateDir }: SyncSettings, { modelKey }: AgentIdentity) =>
        new ModelStore(stateDir, { modelKey }),
    },
    {
      provide: HostedModelClient,
      inject: [AgentConfiguration, AGENT_IDENTITY, Outbound],
      useFactory: ({ controlUrl }: AgentConfiguration, identity: AgentIdentity, outbound: Outbound) =>
        new HostedModelClient({ outbound, controlUrl, identity }),
    },
    {
      provide: HostedModels,
      inject: [AgentConfiguration, HostedModelClient],
      useFactory: ({ stateDir, modelCacheMaxBytes }: AgentConfiguration, client: HostedModelClient) =>
        new HostedModels(new HostedModelCache(stateDir, modelCacheMaxBytes), client),
    },
    {
      provide: JobTables,
      inject: [HostedModelClient],
      useFactory: (client: HostedModelClient) => new JobTables(client),
    },
    {
      provide: SyncJobRunner,
      inject: [SYNC_SETTINGS, AGENT_IDENTITY, Policy, ModelStore, HostedModels],
      useFactory: (
        settings: SyncSettings,
        { maskingKey }: AgentIdentity,
        policy: Policy,
        models: ModelStore,
        hostedModels: HostedModels,
      ) =>
        new SyncJobRunner({
          policy,
          keys: { maskingKey },
          tools: settings,
          copy: settings,
          models,
          hostedModels,
          builtin: builtinLibrary(),
          now: () => Math.round(performance.now()),
          log,
          reached: announceSteps(log),
        }),
    },
  ],
  exports: [JobTables, SyncJobRunner, ModelStore],
})
export class SyncModule {}

export function nestEngineLog(logger: Logger): EngineLog {
  return {
    error: (facts, message) => logger.error(facts, message),
    warn: (facts, message) => logger.warn(facts, message),
    info: (facts, message) => logger.log(facts, message),
    debug: (facts, message) => logger.debug(facts, message),
  };
}
