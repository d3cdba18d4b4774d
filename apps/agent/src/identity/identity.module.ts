import { Global, Module } from '@nestjs/common';
import { Outbound } from '@understudy/outbound';
import pino from 'pino';

import { AgentConfiguration } from '../config/agent-configuration.js';
import { AGENT_IDENTITY } from './agent-identity.js';
import { prepareIdentity } from './prepare-identity.js';

@Global()
@Module({
  providers: [
    {
      provide: AGENT_IDENTITY,
      inject: [AgentConfiguration, Outbound],
      // The logger of the application holds its lines back until all providers exist.
      useFactory: (configuration: AgentConfiguration, outbound: Outbound) =>
        prepareIdentity(configuration, outbound, (message) =>
          pino({ base: null, level: configuration.logLevel }).warn(message),
        ),
    },
  ],
  exports: [AGENT_IDENTITY],
})
export class IdentityModule {}
