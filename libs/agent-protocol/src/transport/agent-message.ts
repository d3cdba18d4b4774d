import { headers, type MsgHdrs } from '@nats-io/nats-core';
import { BaseRpcContext } from '@nestjs/microservices';

/**
 * The header that holds the agent's id in every message between the control plane and that agent.
 *
 * An agent chooses the reply subject of its requests, and the NATS server does not check permissions for
 * replies. So agent A can redirect messages to the subjects of agent B. A redirected message is either a
 * response of the server without this header, or a command for A, with A's id in this header. B can recognise
 * and ignore both.
 */
export const ADDRESSEE_HEADER = 'Understudy-Agent';

export function addressedTo(agentId: string): MsgHdrs {
  const addressed = headers();
  addressed.set(ADDRESSEE_HEADER, agentId);
  return addressed;
}

/**
 * Returns whether a message is meant for an agent. Do not process any other message, even if it arrives on
 * the agent's subjects.
 */
export function isAddressedTo(agentId: string, message: { readonly headers?: MsgHdrs | undefined }): boolean {
  return message.headers?.get(ADDRESSEE_HEADER) === agentId;
}

/**
 * The agent that sent a message. The subject contains the agent's id, and NATS permissions keep other agents
 * from publishing on that subject.
 */
export class AgentMessageContext extends BaseRpcContext<[string]> {
  get agentId(): string {
    return this.getArgByIndex(0) as string;
  }

  constructor(agentId: string) {
    super([agentId]);
  }
}
