import { Global, Module } from '@nestjs/common';
import { Outbound } from '@understudy/outbound';
import pino from 'pino';

import { AgentConfiguration } from '../config/agent-configuration.js';
import { AGENT_IDENTITY, type AgentIdentity, AGENT_KEYS, type AgentKeys } from './agent-identity.js';
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
    {
      provide: AGENT_KEYS,
      inject: [AGENT_IDENTITY],
      useFactory: ({ maskingKey, modelKey }: AgentIdentity): AgentKeys => ({ maskingKey, modelKey }),
    },
  ],
  exports: [AGENT_IDENTITY, AGENT_KEYS],
})
export class IdentityModule {}
