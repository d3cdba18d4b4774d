import { Injectable } from '@nestjs/common';
import {
  AgentMessageContext,
  agentOfSubject,
  ALL_ANSWERS,
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

import type { LeaseNews } from './agent-heartbeat.js';
import { AgentLinkService } from './agent-link.service.js';
import { decodeAnswer } from './decode-answer.js';
import { decodeEvent } from './decode-event.js';
import { decodeHeartbeat, encodeHeartbeatReply } from './heartbeat-messages.js';
import { ACK_WAIT_MS, EVENTS_IN_FLIGHT } from './streams.js';

/**
 * Transport strategy of the control plane (`app.connectMicroservice({ strategy: app.get(AgentLinkServer) })`):
 * `@EventPattern`s are those of AgentMessage and get its data, `@MessagePattern('heartbeat')` gets an AgentHeartbeat and
 * returns LeaseNews; all get an AgentMessageContext. Answers of agents are the link's own.
 */
@Injectable()
export class AgentLinkServer extends JetStreamServer {
  constructor(link: AgentLinkService) {
    super({
      connection: () => link.connectionWhenStarted(),
      consumers: () => [eventsBinding(link)],
      subjects: () => [heartbeatBinding(), answersBinding()],
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
      const { journalSeq, message: understood } = decodeEvent(message.data);
      // What this side will never understand must not keep its agent sending it.
      if (understood === undefined && journalSeq > 0n) link.acknowledgeEvent(agentId, journalSeq);
      if (understood === undefined) return undefined;
      return { ...understood, context: new EventMessageContext(agentId, journalSeq) };
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

/** Without a queue: whoever asked has to hear it. */
function answersBinding(): SubjectBinding {
  return {
    subject: ALL_ANSWERS,
    decode: (message) => {
      const agentId = senderOf(message);
      const answer = agentId === undefined ? undefined : decodeAnswer(message.data);
      if (agentId === undefined || answer === undefined) return undefined;
      return { pattern: 'answer', data: answer, context: new AgentMessageContext(agentId) };
    },
  };
}

/** The agent whose subject and header the message has; undefined for what was made to land on that subject. */
function senderOf(message: IncomingMessage): string | undefined {
  const agentId = agentOfSubject(message.subject);
  return agentId !== undefined && isAddressedTo(agentId, message) ? agentId : undefined;
}
