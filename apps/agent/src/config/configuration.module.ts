import { Module, type DynamicModule } from '@nestjs/common';
import type { SyncSettings } from '@understudy/sync-engine';
import { AgentConfiguration } from './agent-configuration.js';
import { environmentVariable } from './environment.js';

@Module({})
export class ConfigurationModule {
  static for(configuration: AgentConfiguration): DynamicModule {
    return {
      module: ConfigurationModule,
      global: true,
      providers: [
        { provide: AgentConfiguration, useValue: configuration },
        { provide: SYNC_SETTINGS, useValue: syncSettings(configuration) },
      ],
      exports: [AgentConfiguration, SYNC_SETTINGS],
    };
  }
}

function syncSettings(configuration: AgentConfiguration): SyncSettings {
  const { stateDir, pgBinDir, connections, maskingThreads, chunkBytes, lockWaitMs } = configuration;
  const searchPath = environmentVariable('PATH');
  return Object.freeze({
    ...{ stateDir, pgBinDir, searchPath },
    ...{ connections, maskingThreads, chunkBytes, lockWaitMs },
  });
}

/** Injection token of the engine's `SyncSettings`. */
export const SYNC_SETTINGS = Symbol('SyncSettings');
