import { Module } from '@nestjs/common';
import { BuiltinLibrary } from '@understudy/builtin-models';
import { AGENT_KEYS, type AgentKeys } from '../identity/agent-keys.js';
import { Policy } from '../policy/policy.js';
import { ModelStore } from '../training/model-store.js';
import { SyncJobRunner } from './sync-job-runner.js';
import { SYNC_SETTINGS, type SyncSettings } from './sync-settings.js';

/** Settings, keys and policy come from global modules. */
@Module({
  providers: [
    {
      provide: SyncJobRunner,
      inject: [SYNC_SETTINGS, AGENT_KEYS, Policy],
      useFactory: (settings: SyncSettings, keys: AgentKeys, policy: Policy) =>
        new SyncJobRunner({
          policy,
          keys,
          tools: settings,
          models: new ModelStore(settings.stateDir, keys),
          builtin: new BuiltinLibrary(),
          now: () => Date.now(),
        }),
    },
  ],
  exports: [SyncJobRunner],
})
export class SyncModule {}
