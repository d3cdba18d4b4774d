import { Global, Module } from '@nestjs/common';

import { AgentLinkServer } from './agent-link-server.js';
import { AgentLinkService } from './agent-link.service.js';
import { AgentTrustService } from './agent-trust.service.js';

/** The only place of the control plane that knows NATS and protobuf. */
@Global()
@Module({
  providers: [AgentLinkService, AgentLinkServer, AgentTrustService],
  exports: [AgentLinkService, AgentLinkServer, AgentTrustService],
})
export class AgentLinkModule {}
