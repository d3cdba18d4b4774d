import { Module, type DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';

import type { AgentConfiguration } from './config/agent-configuration.js';
import { ConfigurationModule } from './config/configuration.module.js';
import { ControlLinkModule } from './control-link/control-link.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { PolicyModule } from './policy/policy.module.js';

@Module({})
export class AgentModule {
  static for(configuration: AgentConfiguration): DynamicModule {
    return {
      module: AgentModule,
      imports: [
        ConfigurationModule.for(configuration),
        LoggerModule.forRoot({ pinoHttp: { level: configuration.logLevel, base: null } }),
        PolicyModule,
        IdentityModule,
        ControlLinkModule,
      ],
    };
  }
}
