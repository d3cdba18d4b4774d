import type { AgentCredentials } from '../agent-link/connection/agent-trust.service.js';
import { nameOf, type AgentOffer } from '../agent-link/messages/agent-heartbeat.js';
import { agentStatus, type AgentStatus } from './agent-status.js';
import type { AgentEntity } from './agent.entity.js';

export interface AgentResponse {
  readonly id: string;
  readonly name: string;
  readonly status: AgentStatus;
  readonly last_seen_at: string | null;
  readonly version: string | null;
  readonly labels: readonly string[];
  readonly databases: readonly string[];
  readonly masking_key_fingerprint: string | null;
  readonly enrolled_at: string;
}

export function toAgentResponse(agent: AgentEntity, now: Date): AgentResponse {
  return {
    id: agent.id,
    name: agent.name,
    status: agentStatus(agent, { now }),
    last_seen_at: agent.lastSeenAt?.toISOString() ?? null,
    version: agent.version,
    labels: agent.offer?.labels ?? [],
    databases: databasesOf(agent.offer),
    masking_key_fingerprint: agent.offer?.maskingKey ?? null,
    enrolled_at: agent.enrolledAt.toISOString(),
  };
}

/** Names as jobs give them, without `agent:`. */
function databasesOf(offer: AgentOffer | null): string[] {
  return Object.keys(offer?.policies ?? {})
    .flatMap((key) => nameOf(key) ?? [])
    .sort();
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
