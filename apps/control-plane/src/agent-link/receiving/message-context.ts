import { AgentMessageContext } from '@understudy/jetstream-transport';

export { AgentMessageContext };

/**
 * The agent that a message is from: read from the subject, which its permissions guarantee.
 * @param context unknown, because the decorators of @nestjs/microservices take no handlers of anything narrower
 */
export function senderOf(context: unknown): string {
  if (context instanceof AgentMessageContext) return context.agentId;
  throw new TypeError('the message has no sender');
}

/** The agent of an event and the journal entry that its acknowledgement names. */
export class EventContext extends AgentMessageContext {
  constructor(
    agentId: string,
    readonly journalSeq: bigint,
  ) {
    super(agentId);
  }
}
