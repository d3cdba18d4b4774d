import { AgentMessageContext } from '@understudy/jetstream-transport';

/** The agent of an event and the journal entry that its acknowledgement names. */
export class EventContext extends AgentMessageContext {
  constructor(
    agentId: string,
    readonly journalSeq: bigint,
  ) {
    super(agentId);
  }
}
