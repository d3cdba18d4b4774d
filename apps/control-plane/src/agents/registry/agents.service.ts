import { Injectable, Logger } from '@nestjs/common';
import { DataSource, IsNull, Raw, type EntityManager } from 'typeorm';
import type { AgentHeartbeat } from '@understudy/agent-protocol';

import { type AgentDirectory, JWT_SECONDS } from '../agent-link/connection/agent-trust.service.js';
import { AgentLinkService } from '../agent-link/connection/agent-link.service.js';
import { auditRequest } from '../../platform/audit-log/insert-audit-entry.js';
import { noSuch } from '../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../platform/http/pipeline/caller-request.js';
import type { Paged, PageQuery } from '../../platform/http/dto/page.dto.js';
import { DATABASE_NOW, databaseNow } from '../../platform/persistence/database-values.js';
import { findPage } from '../../platform/persistence/find-page.js';
import { toAgentResponse, type AgentResponse, type RevokedAgentResponse, isLive } from './agent-responses.js';
import { AgentEntity } from './agent.entity.js';
import { LOCK_REVOCATIONS, REVOKED_KEYS } from './credentials/revoked-keys.sql.js';
import { runningWorkOf } from '../agent-work/leases/running-work.sql.js';

/** An agent that is not revoked. */
export type EnrolledAgent = Pick<
  AgentEntity,
  'id' | 'name' | 'sealingPublicKey' | 'lastSeenAt' | 'freeSlots' | 'snapshotStore' | 'offer'
>;

/** Stores the agents of organisations and finds those that may get work. */
@Injectable()
export class AgentsService implements AgentDirectory {
  private readonly logger = new Logger(AgentsService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly link: AgentLinkService,
  ) {
    link.useDirectory(this);
  }

  /** Returns the agents with a heartbeat within the last 15 s. Agents with more free slots come first. */
  liveAgents(organizationId: string): Promise<EnrolledAgent[]> {
    return this.dataSource.manager.find(AgentEntity, {
      where: { organizationId, revokedAt: IsNull(), lastSeenAt: Raw(isLive) },
      order: { freeSlots: 'DESC', id: 'ASC' },
    });
  }

  /** Returns all agents of the organisation that are not revoked. */
  enrolledAgents(organizationId: string): Promise<EnrolledAgent[]> {
    return this.dataSource.manager.find(AgentEntity, {
      where: { organizationId, revokedAt: IsNull() },
      order: { id: 'ASC' },
    });
  }

  /** @returns false if the agent does not exist or is revoked */
  async recordHeartbeat(agentId: string, beat: AgentHeartbeat): Promise<boolean> {
    const { version, freeSlots, snapshotStore = null, offer = null } = beat;
    const { affected } = await this.dataSource.manager.update(
      AgentEntity,
      { id: agentId, revokedAt: IsNull() },
      {
        version,
        freeSlots,
        snapshotStore,
        offer: offer as object,
        lastSeenAt: () => DATABASE_NOW,
        contactSince: () => CONTACT_SINCE,
      },
    );
    return affected === 1;
  }

  /** Returns a page of agents, including revoked ones, the newest first. */
  async list(organizationId: string, query: PageQuery): Promise<Paged<'agents', AgentResponse>> {
    const { manager } = this.dataSource;
    const now = await databaseNow(manager);
    const { rows, ...page } = await findPage(manager, AgentEntity, query, {
      where: { organizationId },
      order: { enrolledAt: 'DESC', id: 'DESC' },
    });
    const ids = rows.map(({ id }) => id);
    const running = await runningWorkOf(manager, ids);
    return { agents: rows.map((agent) => toAgentResponse(agent, running, now)), ...page };
  }

  /** @throws ApiError `not_found` */
  async get(organizationId: string, id: string): Promise<AgentResponse> {
    const agent = await this.dataSource.manager.findOneBy(AgentEntity, { id, organizationId });
    if (agent === null) throw noSuch('agent');
    return this.response(agent, await databaseNow(this.dataSource.manager));
  }

  /**
   * Revokes an agent. The agent gets no further JWT and no work, and its connection is closed immediately. If the agent
   * is already revoked, nothing changes.
   * @throws ApiError `not_found`
   */
  async revoke(request: CallerRequest, agentId: string, now = new Date()): Promise<RevokedAgentResponse> {
    const agent = await this.dataSource.transaction((manager) => markRevoked(manager, request, agentId, now));
    // The revocation is already committed. If NATS is unreachable, the link pushes all revocations on reconnect.
    await this.disconnect(agent).catch((error: unknown) =>
      this.logger.error(`could not disconnect the revoked agent ${agentId}: ${String(error)}`),
    );
    return { ...(await this.response(agent, now)), deleted: true };
  }

  /** @returns undefined if the agent does not exist */
  async organizationOf(agentId: string): Promise<string | undefined> {
    return (await this.dataSource.manager.findOneBy(AgentEntity, { id: agentId }))?.organizationId;
  }

  async enrolledAgentIds(): Promise<readonly string[]> {
    const found = await this.dataSource.manager.find(AgentEntity, {
      select: { id: true },
      where: { revokedAt: IsNull() },
    });
    return found.map(({ id }) => id);
  }

  /**
   * Calls `push` with the revoked keys. The transaction holds an advisory lock until `push` has ended, so that no
   * replica pushes an older list after a newer one.
   */
  async withRevokedKeys(push: (revoked: ReadonlyMap<string, number>) => Promise<void>): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.query(LOCK_REVOCATIONS);
      const found = await manager.query<{ key: string; until: number }[]>(REVOKED_KEYS, [
        REVOCATION_MARGIN_SECONDS,
        JWT_SECONDS,
      ]);
      await push(new Map(found.map(({ key, until }) => [key, until])));
    });
  }

  private async response(agent: AgentEntity, now: Date): Promise<AgentResponse> {
    const running = await runningWorkOf(this.dataSource.manager, [agent.id]);
    return toAgentResponse(agent, running, now);
  }

  private async disconnect(agent: AgentEntity): Promise<void> {
    await this.link.pushRevocations();
    await this.link.removeAgentConsumer(agent.id);
  }
}

// A renewal that read the agent's row just before the revocation may sign a JWT shortly after the revocation.
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

/** Keeps the time while the agent is live, and starts again with the first heartbeat after the agent was away. */
const CONTACT_SINCE = `CASE WHEN ${isLive('last_seen_at')} THEN coalesce(contact_since, ${DATABASE_NOW}) ELSE ${DATABASE_NOW} END`;
