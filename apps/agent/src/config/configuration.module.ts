import { Logger, Module, type DynamicModule } from '@nestjs/common';
import { Outbound } from '@understudy/outbound';
import type { SyncSettings } from '@understudy/sync-engine';
import { StateFolder, temporaryFolder } from '../state/state-folder.js';
import { AgentConfiguration } from './agent-configuration.js';
import { environmentVariable } from './environment.js';

@Module({})
export class ConfigurationModule {
  static for(configuration: AgentConfiguration, folder: StateFolder): DynamicModule {
    return {
      module: ConfigurationModule,
      global: true,
      providers: [
        { provide: AgentConfiguration, useValue: configuration },
        { provide: StateFolder, useValue: folder },
        { provide: SYNC_SETTINGS, useValue: syncSettings(configuration) },
        { provide: Outbound, useValue: outbound(configuration) },
      ],
      exports: [AgentConfiguration, StateFolder, SYNC_SETTINGS, Outbound],
    };
  }
}

function outbound(configuration: AgentConfiguration): Outbound {
  const logger = new Logger(Outbound.name);
  return new Outbound(configuration.outbound, (problem) => logger.warn(problem));
}

function syncSettings(configuration: AgentConfiguration): SyncSettings {
  const { stateDir, pgBinDir, connections, maskingThreads, chunkBytes, lockWaitMs } = configuration;
  const searchPath = environmentVariable('PATH');
  return Object.freeze({
    ...{ stateDir, pgBinDir, searchPath, temporaryFolder: temporaryFolder(stateDir) },
    ...{ connections, maskingThreads, chunkBytes, lockWaitMs },
  });
}

/** Injection token of the engine's `SyncSettings`. */
export const SYNC_SETTINGS = Symbol('SyncSettings');
