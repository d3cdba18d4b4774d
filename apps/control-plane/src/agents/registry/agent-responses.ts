import { type AgentOffer, nameOf } from '@understudy/agent-protocol';
import { MAX_AGENT_SLOTS } from '@understudy/sync-job';
import { Type } from 'typebox';

import {
  count,
  id,
  instant,
  named,
  nullable,
  nullableInstant,
  oneOf,
  type ResponseOf,
} from '../../platform/http/operations/schemas.js';
import type { AgentCredentials } from '../agent-link/connection/agent-trust.service.js';
import { RunningWork } from '../agent-work/leases/running-work.sql.js';
import type { AgentEntity } from './agent.entity.js';
import { POLICY_EXAMPLE, PolicyResponse, toPolicyResponse } from './policy-response.js';

const AGENT_STATUSES = ['live', 'away', 'revoked'] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** An agent sends a heartbeat every 2 s. It gets no work if its last heartbeat is older than this. */
const LIVE_WITHIN_MS = 15_000;

/**
 * Returns an SQL condition that is true if an agent is live by the database's clock.
 * @param lastSeenAt SQL expression for the time of the agent's last heartbeat
 */
export function isLive(lastSeenAt: string): string {
  return `${lastSeenAt} > now() - ${LIVE_WITHIN_MS} * interval '1 millisecond'`;
}

export function agentStatus(
  agent: { readonly lastSeenAt: Date | null; readonly revokedAt: Date | null },
  { now }: { now: Date },
): AgentStatus {
  if (agent.revokedAt !== null) return 'revoked';
  return agent.lastSeenAt === null || isSilent(agent.lastSeenAt, { now }) ? 'away' : 'live';
}

/** Returns whether an agent that was last heard at this time is no longer live. */
export function isSilent(heardAt: Date, { now }: { readonly now: Date }): boolean {
  return now.getTime() - heardAt.getTime() > LIVE_WITHIN_MS;
}

export const AgentResponse = named('Agent', {
  id: id('agt', 'Id of the agent.'),
  name: Type.String(),
  status: oneOf(AGENT_STATUSES, '`live`: the agent sent a heartbeat within the last 15 seconds.'),
  last_seen_at: nullableInstant('Time of the last heartbeat; null if there was none.'),
  version: nullable(Type.String(), 'Version of the program; null before the first heartbeat.'),
  labels: Type.Array(Type.String(), {
    description: 'Labels by which jobs can select the agent, in addition to id and name.',
  }),
  databases: Type.Array(Type.String(), {
    description: "Databases in the agent's policy. Jobs refer to them as `agent:<name>`.",
  }),
  masking_key_fingerprint: nullable(
    Type.String(),
    'Keyed hash of the masking key, which does not reveal the key. Agents with the same fingerprint mask the same way. Null before the first heartbeat.',
  ),
  slots: nullable(
    Type.Integer({ minimum: 1, maximum: MAX_AGENT_SLOTS }),
    'Number of jobs, snapshots and restores that the agent runs concurrently. Null for agents that do not report it.',
  ),
  free_slots: count(
    'Number of slots that were free at the last heartbeat. 0 if the disk of the agent is almost full.',
  ),
  running: Type.Array(RunningWork, {
    maxItems: MAX_AGENT_SLOTS,
    description: `Work that the agent holds, the oldest first. At most ${MAX_AGENT_SLOTS} entries.`,
  }),
  snapshot_store: nullable(
    oneOf(['none', 'folder', 'bucket'], '`none`: the agent stores no snapshots.'),
    'Kind of storage for snapshots. Null before the first heartbeat, and for agents that do not report it.',
  ),
  policy: nullable(
    PolicyResponse,
    "Summary of the agent's policy file. It contains no pattern, URL or name. Null for agents that do not report it.",
  ),
  enrolled_at: instant('Time of the enrolment.'),
  last_started_at: nullableInstant(
    'Time at which the current process of the agent started; null before the first start.',
  ),
  last_conflict_at: nullableInstant(
    'Time at which the control plane last refused a process of this agent because a newer process uses its identity; null if that never happened. It means that the state folder was used twice, for example on a copied machine.',
  ),
});
export type AgentResponse = ResponseOf<typeof AgentResponse>;

export const AGENT_EXAMPLE: AgentResponse = {
  id: 'agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  name: 'eu-1',
  status: 'live',
  last_seen_at: '2026-11-21T09:30:00.000Z',
  version: '0.1.0',
  labels: ['eu'],
  databases: ['shop_production', 'shop_staging'],
  masking_key_fingerprint: '3f0c5a9be1d24786a5b1c09d7e42f318',
  slots: 4,
  free_slots: 3,
  running: [
    {
      type: 'sync_job',
      id: 'job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
      leased_at: '2026-11-21T09:29:40.000Z',
      held_until: '2026-11-21T13:30:45.000Z',
    },
  ],
  snapshot_store: 'folder',
  policy: POLICY_EXAMPLE,
  enrolled_at: '2026-11-20T14:00:00.000Z',
  last_started_at: '2026-11-20T14:00:01.000Z',
  last_conflict_at: null,
};

export const RevokedAgentResponse = named('RevokedAgent', {
  ...AgentResponse.properties,
  deleted: Type.Literal(true),
});
export type RevokedAgentResponse = ResponseOf<typeof RevokedAgentResponse>;

/** @param running the work that the agents hold, by agent id */
export function toAgentResponse(
  agent: AgentEntity,
  running: ReadonlyMap<string, readonly RunningWork[]>,
  now: Date,
): AgentResponse {
  return {
    id: agent.id,
    name: agent.name,
    status: agentStatus(agent, { now }),
    last_seen_at: agent.lastSeenAt?.toISOString() ?? null,
    version: agent.version,
    labels: agent.offer?.labels ?? [],
    databases: databasesOf(agent.offer),
    masking_key_fingerprint: agent.offer?.maskingKey ?? null,
    slots: agent.offer?.slots ?? null,
    free_slots: agent.freeSlots,
    running: running.get(agent.id) ?? [],
    snapshot_store: storeOf(agent),
    policy: agent.offer?.policy === undefined ? null : toPolicyResponse(agent.offer.policy),
    enrolled_at: agent.enrolledAt.toISOString(),
    last_started_at: agent.instanceSince?.toISOString() ?? null,
    last_conflict_at: agent.lastConflictAt?.toISOString() ?? null,
  };
}

/** Returns the database names that jobs may use after `agent:`, sorted. */
function databasesOf(offer: AgentOffer | null): string[] {
  return Object.keys(offer?.policies ?? {})
    .flatMap((key) => nameOf(key) ?? [])
    .sort();
}

/** Returns null before the first heartbeat, and for agents that do not report the kind of their store. */
function storeOf({ lastSeenAt, snapshotStore, offer }: AgentEntity): AgentResponse['snapshot_store'] {
  if (lastSeenAt === null) return null;
  return snapshotStore === null ? 'none' : (offer?.snapshotStoreKind ?? null);
}

export const CredentialsResponse = named('AgentCredentials', {
  agent_id: id('agt', 'Id of the agent.'),
  organization_id: id('org', 'Id of the organisation that owns the agent.'),
  nats_urls: Type.Array(Type.String(), { description: 'URLs that the agent connects to.' }),
  nats_jwt: Type.String({ description: "User JWT of the agent's NKey." }),
  jwt_expires_at: instant('Time at which the JWT expires. Renew the JWT before this time.'),
});
export type CredentialsResponse = ResponseOf<typeof CredentialsResponse>;

export function toCredentialsResponse(
  agent: Pick<AgentEntity, 'id' | 'organizationId'>,
  natsUrls: readonly string[],
  { jwt, expiresAt }: AgentCredentials,
): CredentialsResponse {
  return {
    agent_id: agent.id,
    organization_id: agent.organizationId,
    nats_urls: natsUrls,
    nats_jwt: jwt,
    jwt_expires_at: expiresAt.toISOString(),
  };
}
