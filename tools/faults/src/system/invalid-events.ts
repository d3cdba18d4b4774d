import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { create, toBinary } from '@bufbuild/protobuf';
import { jwtAuthenticator, type NatsConnection } from '@nats-io/nats-core';
import { createUser } from '@nats-io/nkeys';
import { connect } from '@nats-io/transport-node';
import { EventSchema } from '@understudy/agent-protocol/schema';
import { addressedTo, agentPermissions, eventSubject } from '@understudy/agent-protocol/transport';
import { agentUserClaims, type NatsSeeds } from '@understudy/agent-protocol/nats-trust';
import type { StackInfo } from '@understudy/stack';

/**
 * The agent's journal never reaches this event number. The acknowledgement of an invalid event therefore
 * removes no event of the journal.
 */
const FIRST_JOURNAL_SEQ = 2n ** 40n;
const MAX_UINT32 = 2 ** 32 - 1;
const VALID_FOR_SECONDS = 300;

/** The lease that the events claim to belong to. */
export interface ClaimedLease {
  readonly agentId: string;
  readonly jobId: string;
  readonly epoch: number;
}

/** Sends events that the control plane can never apply, with the rights of the agent. */
export async function sendInvalidEvents(
  stack: StackInfo,
  { agentId, jobId, epoch }: ClaimedLease,
): Promise<void> {
  const connection = await connectAs(stack, agentId);
  const headers = addressedTo(agentId);
  const send = (bytes: Uint8Array) => connection.publish(eventSubject(agentId), bytes, { headers });
  const report = (journalSeq: bigint, position: { epoch: number; seq: number }) =>
    toBinary(
      EventSchema,
      create(EventSchema, {
        journalSeq,
        event: {
          case: 'syncJob',
          value: { jobId, ...position, event: { case: 'completed', value: {} } },
        },
      }),
    );
  try {
    for (let index = 0; index < 100; index += 1) {
      const journalSeq = FIRST_JOURNAL_SEQ + BigInt(index);
      send(report(journalSeq, { epoch, seq: MAX_UINT32 - index }));
      send(report(journalSeq, { epoch: MAX_UINT32 - index, seq: 1 }));
      send(new TextEncoder().encode(`invalid event ${index}`));
    }
    await connection.flush();
  } finally {
    await connection.close();
  }
}

function connectAs(stack: StackInfo, agentId: string): Promise<NatsConnection> {
  const user = createUser();
  const signIn = agentUserClaims({
    accountSeed: seedsOf(stack).agentAccount,
    agentId,
    userPublicKey: user.getPublicKey(),
    permissions: agentPermissions(agentId),
    expiresAtSeconds: Math.floor(Date.now() / 1000) + VALID_FOR_SECONDS,
  });
  return signIn.then((jwt) =>
    connect({ servers: [stack.nats_url], authenticator: jwtAuthenticator(jwt, user.getSeed()) }),
  );
}

function seedsOf({ data_dir: folder }: StackInfo): NatsSeeds {
  const state = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as {
    secrets: { nats: NatsSeeds };
  };
  return state.secrets.nats;
}
