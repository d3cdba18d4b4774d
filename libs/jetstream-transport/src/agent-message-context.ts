import { BaseRpcContext } from '@nestjs/microservices';

/** Which agent a message is from: read from the subject, which the agent's permissions guarantee. */
export class AgentMessageContext extends BaseRpcContext<[string]> {
  get agentId(): string {
    return this.getArgByIndex(0) as string;
  }

  constructor(agentId: string) {
    super([agentId]);
  }
}
