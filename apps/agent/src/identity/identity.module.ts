import { Global, Module } from '@nestjs/common';

import { AgentConfiguration } from '../config/agent-configuration.js';
import { AGENT_IDENTITY, type AgentIdentity, AGENT_KEYS, type AgentKeys } from './agent-identity.js';
import { prepareIdentity } from './prepare-identity.js';

@Global()
@Module({
  providers: [
    { provide: AGENT_IDENTITY, inject: [AgentConfiguration], useFactory: prepareIdentity },
    {
      provide: AGENT_KEYS,
      inject: [AGENT_IDENTITY],
      useFactory: ({ maskingKey, modelKey }: AgentIdentity): AgentKeys => ({ maskingKey, modelKey }),
    },
  ],
  exports: [AGENT_IDENTITY, AGENT_KEYS],
})
export class IdentityModule {}
