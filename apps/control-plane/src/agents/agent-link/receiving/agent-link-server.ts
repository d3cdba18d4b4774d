import { Injectable, Catch, type RpcExceptionFilter } from '@nestjs/common';
import {
  decodeEvent,
  decodeHeartbeat,
  decodePrecheckResponse,
  encodeHeartbeatReply,
  type LeaseUpdates,
} from '@understudy/agent-protocol';
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
} from '@understudy/agent-protocol/transport';
import { throwError, type Observable } from 'rxjs';

import { type AgentLinkConfiguration, Configuration } from '../../../platform/config/configuration.js';
import { DatabaseHealth } from '../../../platform/persistence/database-health.js';
import { AgentLinkService } from '../connection/agent-link.service.js';
import { EventContext } from './message-context.js';
import { isRefusedByDatabase, PoisonEvents, UnreadableEventError } from './poison-events.js';
import { EVENT_ACK_WAIT_MS } from '../connection/streams.js';
import { TokenBuckets } from './token-buckets.js';

/**
 * Transport strategy of the control plane (`app.connectMicroservice({ strategy: app.get(AgentLinkServer) })`).
 * `@EventPattern` takes a pattern of AgentMessage; its handler receives the message's data. The handler of
 * `@MessagePattern('heartbeat')` receives an AgentHeartbeat and returns LeaseUpdates. All handlers receive an
 * AgentMessageContext. Only {@link PrecheckResponsesController} handles responses to pre-check requests.
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
      subjects: () => [heartbeatBinding(agentLink), precheckResponsesBinding(agentLink)],
    });
  }
}

function eventsBinding(
  link: AgentLinkService,
  poison: PoisonEvents,
  database: DatabaseHealth,
  { concurrentEvents, eventsHeldPerAgent, databaseProbeMs }: AgentLinkConfiguration,
): ConsumerBinding {
  return {
    stream: EVENTS_STREAM,
    durable: CONTROL_PLANE,
    concurrency: concurrentEvents,
    heldPerSubject: eventsHeldPerAgent,
    workingEveryMs: EVENT_ACK_WAIT_MS / 3,
    retryAfterMs: (deliveryCount) => Math.min(15_000, 250 * 2 ** Math.min(deliveryCount, 10)),
    repair: () => link.ensureTopology(),
    isPoison: isRefusedByDatabase,
    recordPoison: (message) => poison.record(message),
    isReady: () => database.responds(),
    askReadyEveryMs: databaseProbeMs,
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
      // nats-server maps the inbox of an agent's account to a `_R_.` subject of the control plane's account.
      mayReplyTo: (subject) => subject.startsWith('_R_.'),
    },
  };
}

/**
 * Returns a binding without a queue group. Every process must receive every response, because any process may
 * have sent the request.
 */
function precheckResponsesBinding(limits: AgentLinkConfiguration): SubjectBinding {
  return {
    subject: ALL_ANSWERS,
    admit: admitPerAgent(limits),
    decode: (message) => {
      const agentId = senderOf(message);
      const response = agentId === undefined ? undefined : decodePrecheckResponse(message.data);
      if (agentId === undefined || response === undefined) return undefined;
      return { pattern: 'precheck_response', data: response, context: new AgentMessageContext(agentId) };
    },
  };
}

/** Limits the messages of each agent. A message that was redirected to an agent's subject takes no token. */
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

/**
 * Returns the agent that sent the message.
 * @returns undefined if the header with the agent's id does not match the subject, which means that the
 *   message was redirected to this subject
 */
function senderOf(message: IncomingMessage): string | undefined {
  const agentId = agentOfSubject(message.subject);
  return agentId !== undefined && isAddressedTo(agentId, message) ? agentId : undefined;
}

const MAX_BUCKETS = 20_000;

/**
 * Passes an error of a message handler unchanged to the transport. Nest's own filter hides the SQLSTATE,
 * which decides whether the message is delivered again. Nest's filter also logs error messages, which may
 * quote values.
 */
@Catch()
export class HandlerErrorsFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
