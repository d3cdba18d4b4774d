import { setTimeout as sleep } from 'node:timers/promises';

import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { jetstream, type ConsumerInfo } from '@nats-io/jetstream';
import { jwtAuthenticator, type NatsConnection } from '@nats-io/nats-core';
import { createUser } from '@nats-io/nkeys';
import { connect } from '@nats-io/transport-node';
import { type AgentOffer, BY_URL, nameOf, numbersOf } from '@understudy/agent-protocol';
import {
  type AgentOfferSchema,
  AnswerSchema,
  CommandSchema,
  enumValue,
  EventAcknowledgementSchema,
  EventSchema,
  FailureCode,
  HeartbeatReplySchema,
  HeartbeatSchema,
  QuestionSchema,
  SnapshotStoreKind,
  SslMode,
  type Command,
  type RestoreTargetQuestion,
} from '@understudy/agent-protocol/schema';
import { addressedTo } from '@understudy/agent-protocol/transport';
import { waitFor } from '@understudy/testing';

import { AgentLinkService } from '../../../src/agents/agent-link/connection/agent-link.service.js';
import { AgentTrustService } from '../../../src/agents/agent-link/connection/agent-trust.service.js';
import type { ControlPlane } from './start-control-plane.js';
import { testOffer } from './test-offer.js';

type Event = MessageInitShape<typeof EventSchema>['event'];
type LeaseRef = { readonly jobId: string; readonly epoch: number };
type NamedLease = LeaseRef & { readonly snapshotAgeSeconds?: number };

/** Decides the response to a pre-check request: a blocker, no blocker, or no response at all. */
export type PrecheckResponder = (
  request: RestoreTargetQuestion,
) => FailureCode | 'no_blocker' | 'no_response';

export interface FakeAgent {
  readonly id: string;
  /** The id of its snapshot store in heartbeats, in 32 hexadecimal digits. */
  readonly store: string;
  /** The pre-check requests that it has received. */
  readonly prechecks: readonly RestoreTargetQuestion[];
  respond: PrecheckResponder;
  /** The number of free slots in its heartbeats. */
  freeSlots: number;
  /** The offer in its heartbeats. Null for an agent that sends no offer. */
  offer: AgentOffer | null;
  /** Sends a heartbeat. Returns the leases that the reply reports as lost or cancelled. */
  beat(
    leases?: readonly NamedLease[],
  ): Promise<{ lost: LeaseRef[]; cancelled: LeaseRef[]; revoked: boolean }>;
  /** Waits for the next command and acknowledges it. */
  nextCommand(): Promise<Command['command']>;
  /** Acknowledges and returns the next command. Returns undefined if there is none within a second. */
  pendingCommand(): Promise<Command['command'] | undefined>;
  /** Sends an event. Resolves when the control plane has committed it. @param at default: now */
  report(event: Event, at?: Date): Promise<void>;
  readonly hasStopped: boolean;
  stop(): Promise<void>;
}

export interface FakeAgentOptions {
  readonly orgId?: string;
  /** The first 64 bits of the store's id. Null for an agent that stores no snapshots. */
  readonly store?: bigint | null;
  readonly freeSlots?: number;
  readonly name?: string;
  readonly offer?: AgentOffer | null;
  /** The public key to which URLs are sealed. */
  readonly sealingKey?: Uint8Array;
}

/** Starts a simulated agent. It uses the protocol and the permissions of an agent, but performs no work. */
export async function startFakeAgent(
  plane: ControlPlane,
  { orgId, store = 1n, freeSlots = 4, offer = testOffer(), ...row }: FakeAgentOptions = {},
): Promise<FakeAgent> {
  const id = await plane.addAgent({ ...row, offer, ...(orgId === undefined ? {} : { orgId }) });
  await plane.app.get(AgentLinkService).ensureAgentConsumer(id); // as the enrolment does
  const connection = await connectAs(plane, id);
  const headers = addressedTo(id);
  const acknowledged = new Set<bigint>();
  const prechecks: RestoreTargetQuestion[] = [];
  let lastSeq = 0n;

  const agent: FakeAgent = {
    id,
    store: `${(store ?? 0n).toString(16).padStart(16, '0')}${'0'.repeat(16)}`,
    prechecks,
    respond: () => 'no_blocker',
    freeSlots,
    offer,
    beat: async (leases = []) => {
      const message = create(HeartbeatSchema, {
        version: { major: 0, minor: 1, patch: 0 },
        freeSlots: agent.freeSlots,
        leases: [...leases],
        ...(agent.offer === null ? {} : { offer: wireOffer(agent.offer) }),
        ...(store === null ? {} : { snapshotStore: { word0: store, word1: 0n } }),
      });
      const bytes = toBinary(HeartbeatSchema, message);
      const reply = await connection.request(`us.beat.${id}`, bytes, { timeout: 60_000, headers });
      const { lostLeases, cancelledLeases, revoked } = fromBinary(HeartbeatReplySchema, reply.data);
      const refs = (named: readonly LeaseRef[]) => named.map(({ jobId, epoch }) => ({ jobId, epoch }));
      return { lost: refs(lostLeases), cancelled: refs(cancelledLeases), revoked };
    },
    nextCommand: async () => {
      const command = await pull(connection, id, 60_000);
      if (command === undefined) throw new Error('expected a command within 60 s');
      return command;
    },
    pendingCommand: () => pull(connection, id, 1_000),
    report: async (event, at = new Date()) => {
      const journalSeq = (lastSeq += 1n);
      const occurredAt = timestampFromDate(at);
      const bytes = toBinary(EventSchema, create(EventSchema, { journalSeq, occurredAt, event }));
      await waitFor('the acknowledgement', async () => {
        connection.publish(`us.evt.${id}`, bytes, { headers });
        await connection.flush();
        return waitFor('the acknowledgement', async () => acknowledged.has(journalSeq), 2_000).catch(
          () => false,
        );
      });
    },
    get hasStopped() {
      return connection.isClosed();
    },
    stop: () => connection.close(),
  };

  connection.subscribe(`us.ack.${id}`, {
    callback: (_, { data }) => {
      for (const seq of fromBinary(EventAcknowledgementSchema, data).journalSeqs) acknowledged.add(seq);
    },
  });
  connection.subscribe(`us.ask.${id}`, {
    callback: (_, { data }) => {
      const { id: questionId, question } = fromBinary(QuestionSchema, data);
      if (question.case !== 'restoreTarget') return;
      prechecks.push(question.value);
      const blocker = agent.respond(question.value);
      if (blocker === 'no_response') return;
      const response = create(AnswerSchema, {
        questionId,
        answer: {
          case: 'restoreTarget',
          value: blocker === 'no_blocker' ? {} : { obstacle: { code: blocker } },
        },
      });
      connection.publish(`us.tell.${id}`, toBinary(AnswerSchema, response), { headers });
    },
  });
  await connection.flush();
  return agent;
}

export function wireOffer({
  labels,
  maskingKey,
  policies,
  slots,
  snapshotStoreKind,
  policy,
  capabilities = [],
}: AgentOffer): MessageInitShape<typeof AgentOfferSchema> {
  const { [BY_URL]: urls, ...named } = policies;
  return {
    labels: [...labels],
    maskingKey: wireFingerprint(maskingKey),
    databases: Object.entries(named).map(([key, policy]) => ({
      name: nameOf(key) ?? key,
      policy: wireFingerprint(policy),
    })),
    ...(urls === undefined ? {} : { urls: wireFingerprint(urls) }),
    ...(slots === undefined ? {} : { slots }),
    snapshotStoreKind: enumValue(SnapshotStoreKind, snapshotStoreKind),
    capabilities: [...numbersOf(capabilities)],
    ...(policy === undefined
      ? {}
      : {
          policy: {
            ...policy,
            allowSourceCode: policy.allowSourceCode ?? undefined,
            allowSuperuserTarget: policy.allowSuperuserTarget ?? undefined,
            maxDatabaseBytes: BigInt(policy.maxDatabaseBytes ?? 0),
            minSslmode: enumValue(SslMode, policy.minSslmode ?? undefined),
          },
        }),
  };
}

function wireFingerprint(hex: string) {
  return { word0: BigInt(`0x${hex.slice(0, 16)}`), word1: BigInt(`0x${hex.slice(16)}`) };
}

/** Reports the successful creation of a snapshot. */
export async function makeSnapshot(
  agent: FakeAgent,
  { snapshotId, epoch }: { snapshotId: string; epoch: number },
  tables: readonly { schema: string; name: string }[] = [{ schema: 'public', name: 'customers' }],
): Promise<void> {
  await agent.report({
    case: 'snapshot',
    value: { snapshotId, epoch, seq: 1, event: { case: 'started', value: {} } },
  });
  await agent.report(readyEvent(agent, { snapshotId, epoch }, tables));
}

export function readyEvent(
  agent: FakeAgent,
  { snapshotId, epoch }: { snapshotId: string; epoch: number },
  tables: readonly { schema: string; name: string }[] = [],
  seq = 9,
): Event {
  return {
    case: 'snapshot',
    value: {
      snapshotId,
      epoch,
      seq,
      event: {
        case: 'ready',
        value: {
          sizeBytes: 4096n,
          tableCount: tables.length,
          tables: tables.map(({ schema, name }) => ({ schema: { text: schema }, name: { text: name } })),
          durationMs: 5n,
          format: 1,
          serverVersion: 170_006,
          manifestHash: { word0: 1n, word1: 2n, word2: 3n, word3: 4n },
          store: { word0: BigInt(`0x${agent.store.slice(0, 16)}`), word1: 0n },
        },
      },
    },
  };
}

/** Handles the commands of an agent until its connection ends. Commands about snapshots succeed, and sync jobs fail. */
export function handleCommands(agent: FakeAgent): void {
  void (async () => {
    while (!agent.hasStopped) await serveOnce(agent);
  })();
}

/** Handles one command, if any. Ignores errors, because a slow machine can cause timeouts; the next call retries. */
async function serveOnce(agent: FakeAgent): Promise<void> {
  try {
    await agent.beat();
    const command = await agent.pendingCommand();
    if (command !== undefined) await carryOut(agent, command);
  } catch {
    await sleep(100);
  }
}

async function carryOut(agent: FakeAgent, command: Command['command']): Promise<void> {
  if (command.case === 'runSyncJob') {
    const { jobId, epoch } = command.value;
    const event = { case: 'failed', value: { code: FailureCode.POLICY_DENIED } } as const;
    await agent.report({ case: 'syncJob', value: { jobId, epoch, seq: 1, event } });
  }
  if (command.case === 'createSnapshot') await makeSnapshot(agent, command.value);
  if (command.case === 'deleteSnapshot') {
    const { deletionId } = command.value;
    await agent.report({ case: 'snapshotDeleted', value: { deletionId } });
  }
  if (command.case === 'restoreSnapshot') {
    const { restoreId, epoch } = command.value;
    const event = { case: 'completed', value: { durationMs: 5n } } as const;
    await agent.report({ case: 'restore', value: { restoreId, epoch, seq: 1, event } });
  }
}

/** Several attempts, because on a slow machine a connection can exceed the server's timeout. */
const CONNECT_TRIES = 5;

/** Connects with the permissions of an agent. */
export async function connectAs(plane: ControlPlane, agentId: string): Promise<NatsConnection> {
  const user = createUser();
  const { jwt } = await plane.app.get(AgentTrustService).issue(agentId, user.getPublicKey(), new Date());
  for (let tries = 1; ; tries += 1) {
    try {
      return await connect({
        servers: [plane.services.natsUrl],
        inboxPrefix: `_INBOX_${agentId}`,
        authenticator: jwtAuthenticator(jwt, user.getSeed()),
        reconnect: false,
      });
    } catch (error) {
      if (tries === CONNECT_TRIES) throw error;
    }
  }
}

async function pull(
  connection: NatsConnection,
  agentId: string,
  expires: number,
): Promise<Command['command'] | undefined> {
  const name = `agent_${agentId}`;
  const info = { stream_name: 'COMMANDS', name, config: { durable_name: name, name } } as ConsumerInfo;
  const message = await jetstream(connection)
    .consumers.getConsumerFromInfo(info)
    .next({ bind: true, expires });
  message?.ack();
  return message ? fromBinary(CommandSchema, message.data).command : undefined;
}
