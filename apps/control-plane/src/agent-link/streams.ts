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

export const ACK_WAIT_MS = 30_000;
export const EVENTS_IN_FLIGHT = 64;

/** Creates both streams and the control plane's consumer where they are missing, and brings them to this configuration. */
export async function ensureStreams(manager: JetStreamManager): Promise<void> {
  for (const stream of [COMMANDS, EVENTS]) {
    await createOrUpdate(
      () => manager.streams.add(stream),
      () => manager.streams.update(stream.name, stream),
    );
  }
  await ensureConsumer(manager, EVENTS_STREAM, CONTROL_PLANE, ALL_EVENTS, EVENTS_IN_FLIGHT);
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

const COMMANDS: Partial<StreamConfig> & { name: string } = {
  name: COMMANDS_STREAM,
  subjects: [ALL_COMMANDS],
  storage: StorageType.File,
  retention: RetentionPolicy.Workqueue,
  discard: DiscardPolicy.Old,
  // An older command has lost its lease long ago: running it would be a zombie's work.
  max_age: nanos(10 * 60_000),
  num_replicas: 1,
};

const EVENTS: Partial<StreamConfig> & { name: string } = {
  name: EVENTS_STREAM,
  subjects: [ALL_EVENTS],
  storage: StorageType.File,
  retention: RetentionPolicy.Workqueue,
  discard: DiscardPolicy.Old,
  // Agents keep their events until they are acknowledged and send them again: the stream need not remember for them.
  max_age: nanos(60 * 60_000),
  num_replicas: 1,
};
