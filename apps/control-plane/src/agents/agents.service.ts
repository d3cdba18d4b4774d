import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, type EntityManager, type Repository } from 'typeorm';

import { type AgentDirectory, JWT_SECONDS } from '../agent-link/connection/agent-trust.service.js';
import type { AgentHeartbeat, AgentOffer } from '../agent-link/messages/agent-heartbeat.js';
import { AgentLinkService } from '../agent-link/connection/agent-link.service.js';
import { auditRequest } from '../audit-log/insert-audit-entry.js';
import { noSuch } from '../http/errors/api-error.js';
import type { CallerRequest } from '../http/pipeline/caller-request.js';
import type { Paged, PageQuery } from '../http/dto/page.dto.js';
import { DATABASE_NOW, databaseNow } from '../persistence/database-values.js';
import { findPage } from '../persistence/find-page.js';
import { toAgentResponse, type AgentResponse, isLive } from './agent-responses.js';
import { AgentEntity } from './agent.entity.js';
import { LOCK_REVOCATIONS, REVOKED_KEYS } from './credentials/revoked-keys.sql.js';

export interface EnrolledAgent {
  readonly id: string;
  readonly name: string;
  readonly sealingPublicKey: Uint8Array;
  readonly lastSeenAt: Date | null;
  readonly freeSlots: number;
  /** Where it keeps snapshots, as its last heartbeat named it; null: it keeps none, or does not know of them. */
  readonly snapshotStore: string | null;
  /** What work it can take, as its last heartbeat said; null: none. */
  readonly offer: AgentOffer | null;
}

/** Who the agents of an organisation are and which of them may get work. */
@Injectable()
export class AgentsService implements AgentDirectory {
  private readonly logger = new Logger(AgentsService.name);

  constructor(
    @InjectRepository(AgentEntity) private readonly agents: Repository<AgentEntity>,
    private readonly link: AgentLinkService,
  ) {
    link.useDirectory(this);
  }

  /** Agents heard of within the last 15 s of the database's clock, the most free slots first. */
  async liveAgents(organizationId: string): Promise<EnrolledAgent[]> {
    const found = await this.agents.find({
      where: { organizationId, revokedAt: IsNull(), lastSeenAt: Raw(isLive) },
      order: { freeSlots: 'DESC', id: 'ASC' },
    });
    return found.map(toEnrolledAgent);
  }

  /** All that are not revoked. */
  async enrolledAgents(organizationId: string): Promise<EnrolledAgent[]> {
    const found = await this.agents.find({
      where: { organizationId, revokedAt: IsNull() },
      order: { id: 'ASC' },
    });
    return found.map(toEnrolledAgent);
  }

  async recordHeartbeat(agentId: string, beat: AgentHeartbeat): Promise<void> {
    const { version, freeSlots, snapshotStore = null, offer = null } = beat;
    await this.agents.update(
      { id: agentId, revokedAt: IsNull() },
      { version, freeSlots, snapshotStore, offer: offer as object, lastSeenAt: () => DATABASE_NOW },
    );
  }

  /** Newest first; revoked ones too. */
  async list(organizationId: string, query: PageQuery): Promise<Paged<'agents', AgentResponse>> {
    const now = await databaseNow(this.agents.manager);
    const { rows, ...page } = await findPage(this.agents.manager, AgentEntity, query, {
      where: { organizationId },
      order: { enrolledAt: 'DESC', id: 'DESC' },
    });
    return { agents: rows.map((agent) => toAgentResponse(agent, now)), ...page };
  }

  /** @throws ApiError `not_found` */
  async get(organizationId: string, id: string): Promise<AgentResponse> {
    const agent = await this.agents.findOneBy({ id, organizationId });
    if (agent === null) throw noSuch('agent');
    return toAgentResponse(agent, await databaseNow(this.agents.manager));
  }

  /** From here on the agent gets no JWT and no work; its connection is cut at once. Revoking again changes nothing. */
  async revoke(
    request: CallerRequest,
    agentId: string,
    now = new Date(),
  ): Promise<AgentResponse & { deleted: true }> {
    const agent = await this.agents.manager.transaction((manager) =>
      markRevoked(manager, request, agentId, now),
    );
    // The table decides; when NATS is away, the link pushes all revocations as soon as it is back.
    await this.cutOff(agent).catch((error: unknown) =>
      this.logger.error(`cutting ${agentId} off: ${String(error)}`),
    );
    return { ...toAgentResponse(agent, now), deleted: true };
  }

  /** @returns undefined for an agent that nobody knows */
  async organizationOf(agentId: string): Promise<string | undefined> {
    return (await this.agents.findOneBy({ id: agentId }))?.organizationId;
  }

  async enrolledAgentIds(): Promise<readonly string[]> {
    const found = await this.agents.find({ select: { id: true }, where: { revokedAt: IsNull() } });
    return found.map(({ id }) => id);
  }

  /** The transaction holds an advisory lock from the reading to the end of `push`: no replica pushes an older list after a newer one. */
  async withRevokedKeys(push: (revoked: ReadonlyMap<string, number>) => Promise<void>): Promise<void> {
    await this.agents.manager.transaction(async (manager) => {
      await manager.query(LOCK_REVOCATIONS);
      const found = await manager.query<{ key: string; until: number }[]>(REVOKED_KEYS, [
        REVOCATION_MARGIN_SECONDS,
        JWT_SECONDS,
      ]);
      await push(new Map(found.map(({ key, until }) => [key, until])));
    });
  }

  private async cutOff(agent: AgentEntity): Promise<void> {
    await this.link.pushRevocations();
    await this.link.removeAgentConsumer(agent.id);
  }
}

// A renewal that looked at the table just before the revocation may sign a JWT a moment after it.
const REVOCATION_MARGIN_SECONDS = 3_600;

async function markRevoked(
  manager: EntityManager,
  request: CallerRequest,
  id: string,
  now: Date,
): Promise<AgentEntity> {
  const where = { id, organizationId: request.caller.organizationId };
  const agent = await manager.findOne(AgentEntity, { where, lock: { mode: 'pessimistic_write' } });
  if (agent === null) throw noSuch('agent');
  if (agent.revokedAt !== null) return agent;
  await manager.update(AgentEntity, where, { revokedAt: now });
  const details = { name: agent.name };
  await auditRequest(manager, request, { now, action: 'agent.revoked', targetId: id, details });
  return Object.assign(agent, { revokedAt: now });
}

function toEnrolledAgent({ sealingPublicKey, ...agent }: AgentEntity): EnrolledAgent {
  const { id, name, lastSeenAt, freeSlots, snapshotStore, offer } = agent;
  return {
    id,
    name,
    sealingPublicKey: new Uint8Array(sealingPublicKey),
    lastSeenAt,
    freeSlots,
    snapshotStore,
    offer,
  };
}
