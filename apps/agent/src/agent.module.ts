import { Module, type DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { withRowValues } from '@understudy/postgres';

import type { AgentConfiguration } from './config/agent-configuration.js';
import { ConfigurationModule } from './config/configuration.module.js';
import { WorkModule } from './work/work.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { PolicyModule } from './policy/policy.module.js';
import type { StateFolder } from './state/state-folder.js';

/**
 * Returns the formatters of the log. If the operator has enabled row values in the log, the formatters add
 * the row values that errors otherwise hide.
 */
function formatters({ logsRowValues }: AgentConfiguration) {
  return logsRowValues
    ? { formatters: { log: (facts: object) => withRowValues(facts, false) as Record<string, unknown> } }
    : {};
}

@Module({})
export class AgentModule {
  static for(configuration: AgentConfiguration, folder: StateFolder): DynamicModule {
    return {
      module: AgentModule,
      imports: [
        ConfigurationModule.for(configuration, folder),
        LoggerModule.forRoot({
          pinoHttp: { level: configuration.logLevel, base: null, ...formatters(configuration) },
        }),
        PolicyModule,
        IdentityModule,
        WorkModule,
      ],
    };
  }
}
