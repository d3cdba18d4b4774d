import { headers, type MsgHdrs } from '@nats-io/nats-core';
import { BaseRpcContext } from '@nestjs/microservices';

/**
 * Header of every message between the control plane and an agent: that agent's id. An agent chooses the reply subject of
 * what it sends, and the server delivers there without asking permission; what gets to another agent's subjects that way is
 * the server's own answer or this agent's own command, and carries no header or its own id.
 */
export const ADDRESSEE_HEADER = 'Understudy-Agent';

export function addressedTo(agentId: string): MsgHdrs {
  const addressed = headers();
  addressed.set(ADDRESSEE_HEADER, agentId);
  return addressed;
}

/** Only such a message may be taken for one of the agent whose subject it came on. */
export function isAddressedTo(agentId: string, message: { readonly headers?: MsgHdrs | undefined }): boolean {
  return message.headers?.get(ADDRESSEE_HEADER) === agentId;
}

/** Names the agent that a message is from. It comes from the subject, which the agent's permissions guarantee. */
export class AgentMessageContext extends BaseRpcContext<[string]> {
  get agentId(): string {
    return this.getArgByIndex(0) as string;
  }

  constructor(agentId: string) {
    super([agentId]);
  }
}
