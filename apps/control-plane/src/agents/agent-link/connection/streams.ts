import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type ConsumerConfig,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import {
  agentConsumer,
  ALL_COMMANDS,
  ALL_EVENTS,
  COMMAND_ACK_WAIT_MS,
  commandSubject,
  COMMANDS_STREAM,
  CONTROL_PLANE,
  EVENTS_STREAM,
} from '@understudy/agent-protocol/transport';

import type { AgentLinkConfiguration } from '../../../platform/config/configuration.js';

/** The time after which JetStream delivers an event again that the control plane has not acknowledged. */
export const EVENT_ACK_WAIT_MS = 30_000;

/**
 * Creates both streams and the control plane's consumer if they are missing, and updates them to this
 * configuration.
 */
export async function ensureStreams(
  manager: JetStreamManager,
  limits: AgentLinkConfiguration,
): Promise<void> {
  for (const stream of streamsOf(limits)) {
    await createOrUpdate(
      () => manager.streams.add(stream),
      () => manager.streams.update(stream.name, stream),
    );
  }
  // With a limit on unacknowledged messages, the waiting messages of one agent could block those of other agents.
  await ensureConsumer(manager, EVENTS_STREAM, CONTROL_PLANE, ALL_EVENTS, EVENT_DELIVERY);
}

/** Creates or updates the durable consumer from which an agent pulls its commands. Agents may not create it. */
export function ensureAgentConsumerOn(manager: JetStreamManager, agentId: string): Promise<void> {
  return ensureConsumer(
    manager,
    COMMANDS_STREAM,
    agentConsumer(agentId),
    commandSubject(agentId),
    COMMAND_DELIVERY,
  );
}

/** Deletes an agent's consumer and all commands that wait for the agent. */
export async function removeAgent(manager: JetStreamManager, agentId: string): Promise<void> {
  await manager.consumers.delete(COMMANDS_STREAM, agentConsumer(agentId)).catch(ignoreMissing);
  await manager.streams.purge(COMMANDS_STREAM, { filter: commandSubject(agentId) }).catch(ignoreMissing);
}

async function ensureConsumer(
  manager: JetStreamManager,
  stream: string,
  durable: string,
  subject: string,
  delivery: Pick<ConsumerConfig, 'ack_wait' | 'max_ack_pending'>,
): Promise<void> {
  const config: Partial<ConsumerConfig> = {
    durable_name: durable,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ...delivery,
    max_deliver: -1,
  };
  await createOrUpdate(
    () => manager.consumers.add(stream, config),
    () => manager.consumers.update(stream, durable, config),
  );
}

/**
 * Creates a stream or consumer, or updates an existing one. JetStream refuses to create a stream or consumer
 * that already exists with a different configuration.
 */
async function createOrUpdate(create: () => Promise<unknown>, update: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!(error instanceof Error && /already (in use|exists)/.test(error.message))) throw error;
    await update();
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && /not found/.test(error.message))) throw error;
}

const UNLIMITED = -1;
const EVENT_DELIVERY = { ack_wait: nanos(EVENT_ACK_WAIT_MS), max_ack_pending: UNLIMITED };
const COMMAND_DELIVERY = { ack_wait: nanos(COMMAND_ACK_WAIT_MS), max_ack_pending: 16 };

type NamedStream = Partial<StreamConfig> & { readonly name: string };

/** Returns the configuration of both streams. */
export function streamsOf(limits: AgentLinkConfiguration): readonly NamedStream[] {
  return [commandsStream(limits), eventsStream(limits)];
}

/** A full stream refuses new commands. The sender then fails and retries, so no command is lost. */
function commandsStream({ commandsMaxBytes, streamReplicas }: AgentLinkConfiguration): NamedStream {
  return {
    name: COMMANDS_STREAM,
    subjects: [ALL_COMMANDS],
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_bytes: commandsMaxBytes,
    // After ten minutes without a start, the lease that a command belongs to has expired.
    max_age: nanos(10 * 60_000),
    num_replicas: streamReplicas,
  };
}

/**
 * Limits the number of events of each agent. The stream refuses further events of an agent at its limit. If
 * the whole stream reaches `max_bytes`, nats-server 2.9.10 with `discard_new_per_subject` evicts the oldest
 * events instead. In both cases no event is lost, because agents resend each event until it is acknowledged.
 */
function eventsStream({
  eventsMaxBytes,
  eventsPerAgent,
  streamReplicas,
}: AgentLinkConfiguration): NamedStream {
  return {
    name: EVENTS_STREAM,
    subjects: [ALL_EVENTS],
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
    max_msgs_per_subject: eventsPerAgent,
    max_bytes: eventsMaxBytes,
    max_age: nanos(60 * 60_000),
    num_replicas: streamReplicas,
  };
}
