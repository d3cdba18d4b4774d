import { AgentMessageContext } from '@understudy/agent-protocol/transport';

export { AgentMessageContext };

/**
 * Returns the id of the agent that sent a message. The subject names that agent, and NATS permissions guarantee
 * that no other agent can publish to it.
 * @param context has the type `unknown` because the decorators of @nestjs/microservices accept no narrower type
 */
export function senderOf(context: unknown): string {
  if (context instanceof AgentMessageContext) return context.agentId;
  throw new TypeError('the message has no sender');
}

/** The sender of an event, and the event's number in the sender's journal. */
export class EventContext extends AgentMessageContext {
  constructor(
    agentId: string,
    readonly journalSeq: bigint,
  ) {
    super(agentId);
  }
}
