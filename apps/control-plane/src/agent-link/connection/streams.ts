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
  commandSubject,
  COMMANDS_STREAM,
  CONTROL_PLANE,
  EVENTS_STREAM,
} from '@understudy/jetstream-transport';

import type { AgentLinkConfiguration } from '../../config/configuration.js';

export const ACK_WAIT_MS = 30_000;

/** Creates both streams and the control plane's consumer where they are missing, and brings them to this configuration. */
export async function ensureStreams(
  manager: JetStreamManager,
  limits: AgentLinkConfiguration,
): Promise<void> {
  for (const stream of [commandsStream(limits), eventsStream(limits)]) {
    await createOrUpdate(
      () => manager.streams.add(stream),
      () => manager.streams.update(stream.name, stream),
    );
  }
  // A message that waits for its agent's turn is not acknowledged: with a limit it would take the place of another agent's.
  await ensureConsumer(manager, EVENTS_STREAM, CONTROL_PLANE, ALL_EVENTS, UNLIMITED);
}

/** The durable an agent pulls its commands from; only the control plane may create it. */
export function ensureAgentConsumerOn(manager: JetStreamManager, agentId: string): Promise<void> {
  return ensureConsumer(
    manager,
    COMMANDS_STREAM,
    agentConsumer(agentId),
    commandSubject(agentId),
    COMMANDS_IN_FLIGHT,
  );
}

/** Takes away an agent's consumer and whatever still waits for that agent. */
export async function removeAgent(manager: JetStreamManager, agentId: string): Promise<void> {
  await manager.consumers.delete(COMMANDS_STREAM, agentConsumer(agentId)).catch(ignoreMissing);
  await manager.streams.purge(COMMANDS_STREAM, { filter: commandSubject(agentId) }).catch(ignoreMissing);
}

async function ensureConsumer(
  manager: JetStreamManager,
  stream: string,
  durable: string,
  subject: string,
  maxAckPending: number,
): Promise<void> {
  const config: Partial<ConsumerConfig> = {
    durable_name: durable,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: maxAckPending,
    max_deliver: -1,
  };
  await createOrUpdate(
    () => manager.consumers.add(stream, config),
    () => manager.consumers.update(stream, durable, config),
  );
}

/** Creating what exists with the same configuration succeeds; with another one it fails, and then an update does it. */
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

const COMMANDS_IN_FLIGHT = 16;
const UNLIMITED = -1;

type NamedStream = Partial<StreamConfig> & { readonly name: string };

/** A full stream refuses a command, so its sender fails and tries again: no command disappears. */
function commandsStream({ commandsMaxBytes, streamReplicas }: AgentLinkConfiguration): NamedStream {
  return {
    name: COMMANDS_STREAM,
    subjects: [ALL_COMMANDS],
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_bytes: commandsMaxBytes,
    // An older command has lost its lease long ago: running it would be a zombie's work.
    max_age: nanos(10 * 60_000),
    num_replicas: streamReplicas,
  };
}

/**
 * Agents keep their events until they are acknowledged and send them again, so a full stream refuses what comes. Each agent
 * has places of its own. nats-server 2.9.10 evicts the oldest messages at `max_bytes` when `discard_new_per_subject` is set;
 * their agents send them again too.
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
