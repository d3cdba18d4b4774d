import { Module, type DynamicModule } from '@nestjs/common';

import { SYNC_SETTINGS, type SyncSettings } from '../sync/sync-settings.js';
import { AgentConfiguration } from './agent-configuration.js';
import { environmentVariable } from './environment-variable.js';

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

function syncSettings({ stateDir, pgBinDir }: AgentConfiguration): SyncSettings {
  return Object.freeze({ stateDir, pgBinDir, searchPath: environmentVariable('PATH') });
}
