import { Injectable, Catch, type RpcExceptionFilter } from '@nestjs/common';
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
import { throwError, type Observable } from 'rxjs';

import { type AgentLinkConfiguration, Configuration } from '../../config/configuration.js';
import { DatabaseHealth } from '../../persistence/database-health.js';
import type { LeaseUpdates } from '../messages/agent-heartbeat.js';
import { AgentLinkService } from '../connection/agent-link.service.js';
import { decodePrecheckResponse } from '../wire/restore-precheck.js';
import { decodeEvent } from '../wire/decode-event.js';
import { EventContext } from './message-context.js';
import { decodeHeartbeat, encodeHeartbeatReply } from '../wire/heartbeat-messages.js';
import { isRefusedByDatabase, PoisonEvents, UnreadableEventError } from './poison-events.js';
import { ACK_WAIT_MS } from '../connection/streams.js';
import { TokenBuckets } from './token-buckets.js';

/**
 * Transport strategy of the control plane (`app.connectMicroservice({ strategy: app.get(AgentLinkServer) })`):
 * `@EventPattern`s are those of AgentMessage and get its data, `@MessagePattern('heartbeat')` gets an AgentHeartbeat and
 * returns LeaseUpdates; all get an AgentMessageContext. Answers of agents are the link's own.
 */
@Injectable()
export class AgentLinkServer extends JetStreamServer {
  constructor(
    link: AgentLinkService,
    poison: PoisonEvents,
    database: DatabaseHealth,
    { agentLink }: Configuration,
  ) {
    super({
      connection: () => link.connectionWhenStarted(),
      consumers: () => [eventsBinding(link, poison, database, agentLink)],
      subjects: () => [heartbeatBinding(agentLink), answersBinding(agentLink)],
    });
  }
}

function eventsBinding(
  link: AgentLinkService,
  poison: PoisonEvents,
  database: DatabaseHealth,
  { eventsAtOnce, eventsHeldPerAgent, askDatabaseMs }: AgentLinkConfiguration,
): ConsumerBinding {
  return {
    stream: EVENTS_STREAM,
    durable: CONTROL_PLANE,
    concurrency: eventsAtOnce,
    heldPerSubject: eventsHeldPerAgent,
    workingEveryMs: ACK_WAIT_MS / 3,
    retryAfterMs: (deliveryCount) => Math.min(15_000, 250 * 2 ** Math.min(deliveryCount, 10)),
    repair: () => link.ensureTopology(),
    isPoison: isRefusedByDatabase,
    recordPoison: (message) => poison.record(message),
    isReady: () => database.answers(),
    askReadyEveryMs: askDatabaseMs,
    decode: (message) => {
      const agentId = senderOf(message);
      if (agentId === undefined) throw new UnreadableEventError('not_addressed', 0n);
      const event = decodeEvent(message.data);
      if (event.message === undefined) throw new UnreadableEventError(event.reason, event.journalSeq);
      return { ...event.message, context: new EventContext(agentId, event.journalSeq) };
    },
    handled: ({ context }) => {
      if (context instanceof EventContext) link.acknowledgeEvent(context.agentId, context.journalSeq);
    },
  };
}

function heartbeatBinding(limits: AgentLinkConfiguration): SubjectBinding {
  return {
    subject: ALL_HEARTBEATS,
    queue: CONTROL_PLANE,
    admit: admitPerAgent(limits),
    decode: (message: IncomingMessage): Decoded | undefined => {
      const agentId = senderOf(message);
      if (agentId === undefined) return undefined;
      const context = new AgentMessageContext(agentId);
      return { pattern: 'heartbeat', data: decodeHeartbeat(message.data), context };
    },
    reply: {
      encode: (response) => encodeHeartbeatReply(response as LeaseUpdates),
      // The server's own name in this account for the inbox the agent gave in its account.
      mayReplyTo: (subject) => subject.startsWith('_R_.'),
    },
  };
}

/** Without a queue: whoever asked has to hear it. */
function answersBinding(limits: AgentLinkConfiguration): SubjectBinding {
  return {
    subject: ALL_ANSWERS,
    admit: admitPerAgent(limits),
    decode: (message) => {
      const agentId = senderOf(message);
      const answer = agentId === undefined ? undefined : decodePrecheckResponse(message.data);
      if (agentId === undefined || answer === undefined) return undefined;
      return { pattern: 'answer', data: answer, context: new AgentMessageContext(agentId) };
    },
  };
}

/** A message that an agent did not send itself takes nothing from that agent's bucket. */
function admitPerAgent({ messagesPerSecond, messageBurst }: AgentLinkConfiguration) {
  const buckets = new TokenBuckets({
    perSecond: messagesPerSecond,
    burst: messageBurst,
    maxKeys: MAX_BUCKETS,
  });
  return (message: IncomingMessage): boolean => {
    const agentId = senderOf(message);
    return agentId !== undefined && buckets.take(agentId);
  };
}

/** The agent whose subject and header the message has; undefined for what was made to land on that subject. */
function senderOf(message: IncomingMessage): string | undefined {
  const agentId = agentOfSubject(message.subject);
  return agentId !== undefined && isAddressedTo(agentId, message) ? agentId : undefined;
}

const MAX_BUCKETS = 20_000;

/**
 * Hands what a message handler throws to the transport as it is. Nest's own filter hides the SQLSTATE, which decides
 * whether the message may come again, and logs errors whose messages quote values.
 */
@Catch()
export class HandlerErrorsFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
