import { Injectable } from '@nestjs/common';
import {
  AgentMessageContext,
  agentOfSubject,
  ALL_HEARTBEATS,
  CONTROL_PLANE,
  EVENTS_STREAM,
  isAddressedTo,
  JetStreamServer,
  type ConsumerBinding,
  type Decoded,
  type IncomingMessage,
  type SubjectBinding,
} from '@understudy/jetstream-transport';

import { AgentLinkService } from './agent-link.service.js';
import { decodeEvent } from './decode-event.js';
import { decodeHeartbeat, encodeHeartbeatReply } from './heartbeat-messages.js';
import { ACK_WAIT_MS, EVENTS_IN_FLIGHT } from './streams.js';
import type { LeaseNews } from './sync-job-event.js';

/**
 * Transport strategy of the control plane (`app.connectMicroservice({ strategy: app.get(AgentLinkServer) })`):
 * `@EventPattern('sync_job')` gets a SyncJobEvent, `@EventPattern('private_model_erased')` the id of an erasure,
 * `@EventPattern('sync_target_cleared')` that of a job,
 * `@MessagePattern('heartbeat')` an AgentHeartbeat and returns LeaseNews; all get an AgentMessageContext.
 */
@Injectable()
export class AgentLinkServer extends JetStreamServer {
  constructor(link: AgentLinkService) {
    super({
      connection: () => link.connectionWhenStarted(),
      consumers: () => [eventsBinding(link)],
      subjects: () => [heartbeatBinding()],
    });
  }
}

/** The agent of a message and the journal entry it acknowledges. */
class EventMessageContext extends AgentMessageContext {
  constructor(
    agentId: string,
    readonly journalSeq: bigint,
  ) {
    super(agentId);
  }
}

function eventsBinding(link: AgentLinkService): ConsumerBinding {
  return {
    stream: EVENTS_STREAM,
    durable: CONTROL_PLANE,
    concurrency: EVENTS_IN_FLIGHT / 4,
    workingEveryMs: ACK_WAIT_MS / 3,
    retryAfterMs: (deliveryCount) => Math.min(15_000, 250 * 2 ** Math.min(deliveryCount, 10)),
    repair: () => link.ensureTopology(),
    decode: (message) => {
      const agentId = senderOf(message);
      if (agentId === undefined) return undefined;
      const { journalSeq, event, erasureId, clearedJobId } = decodeEvent(message.data);
      const context = new EventMessageContext(agentId, journalSeq);
      if (erasureId !== undefined) return { pattern: 'private_model_erased', data: erasureId, context };
      if (clearedJobId !== undefined) return { pattern: 'sync_target_cleared', data: clearedJobId, context };
      // What this side will never understand must not keep its agent sending it.
      if (event === undefined && journalSeq > 0n) link.acknowledgeEvent(agentId, journalSeq);
      if (event === undefined) return undefined;
      return { pattern: 'sync_job', data: event, context };
    },
    handled: ({ context }) => {
      if (context instanceof EventMessageContext) link.acknowledgeEvent(context.agentId, context.journalSeq);
    },
  };
}

function heartbeatBinding(): SubjectBinding {
  return {
    subject: ALL_HEARTBEATS,
    queue: CONTROL_PLANE,
    decode: (message: IncomingMessage): Decoded | undefined => {
      const agentId = senderOf(message);
      if (agentId === undefined) return undefined;
      const context = new AgentMessageContext(agentId);
      return { pattern: 'heartbeat', data: decodeHeartbeat(message.data), context };
    },
    reply: {
      encode: (response) => encodeHeartbeatReply(response as LeaseNews),
      // The server's own name in this account for the inbox the agent gave in its account.
      mayReplyTo: (subject) => subject.startsWith('_R_.'),
    },
  };
}

/** The agent whose subject and header the message has; undefined for what was made to land on that subject. */
function senderOf(message: IncomingMessage): string | undefined {
  const agentId = agentOfSubject(message.subject);
  return agentId !== undefined && isAddressedTo(agentId, message) ? agentId : undefined;
}
