import type { AgentCredentials } from '../agent-link/connection/agent-trust.service.js';
import { nameOf, type AgentOffer } from '../agent-link/messages/agent-heartbeat.js';
import type { AgentEntity } from './agent.entity.js';
import { toPolicyResponse, type PolicyResponse } from './policy-response.js';
import type { RunningWork } from '../agent-work/leases/running-work.sql.js';

export type AgentStatus = 'live' | 'away' | 'revoked';

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

export interface AgentResponse {
  readonly id: string;
  readonly name: string;
  readonly status: AgentStatus;
  readonly last_seen_at: string | null;
  readonly version: string | null;
  readonly labels: readonly string[];
  readonly databases: readonly string[];
  readonly masking_key_fingerprint: string | null;
  readonly slots: number | null;
  readonly free_slots: number;
  readonly running: readonly RunningWork[];
  readonly snapshot_store: 'none' | 'folder' | 'bucket' | null;
  readonly policy: PolicyResponse | null;
  readonly enrolled_at: string;
  readonly last_started_at: string | null;
  readonly last_conflict_at: string | null;
}

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

export interface CredentialsResponse {
  readonly agent_id: string;
  readonly organization_id: string;
  readonly nats_urls: readonly string[];
  readonly nats_jwt: string;
  readonly jwt_expires_at: string;
}

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
