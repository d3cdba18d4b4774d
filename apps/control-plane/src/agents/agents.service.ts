import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, MoreThan, Not, type Repository } from 'typeorm';

import type { AgentDirectory } from '../agent-link/agent-directory.js';
import { AgentLinkService } from '../agent-link/agent-link.service.js';
import { ApiError } from '../http/api-error.js';
import { toAgentResponse, type AgentResponse } from './agent-responses.js';
import { LIVE_WITHIN_MS } from './agent-status.js';
import { AgentEntity } from './agent.entity.js';

export interface EnrolledAgent {
  readonly id: string;
  readonly name: string;
  readonly sealingPublicKey: Uint8Array;
  readonly lastSeenAt: Date | null;
  readonly freeSlots: number;
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

  /** Agents heard of within the last 15 s, the most free slots first. */
  async liveAgents(organizationId: string, now = new Date()): Promise<EnrolledAgent[]> {
    const found = await this.agents.find({
      where: {
        organizationId,
        revokedAt: IsNull(),
        lastSeenAt: MoreThan(new Date(now.getTime() - LIVE_WITHIN_MS)),
      },
      order: { freeSlots: 'DESC', id: 'ASC' },
    });
    return found.map(toEnrolledAgent);
  }

  /** All that are not revoked: a secret is sealed to each, whichever gets the job. */
  async enrolledAgents(organizationId: string): Promise<EnrolledAgent[]> {
    const found = await this.agents.find({
      where: { organizationId, revokedAt: IsNull() },
      order: { id: 'ASC' },
    });
    return found.map(toEnrolledAgent);
  }

  async recordHeartbeat(
    agentId: string,
    version: string,
    freeSlots: number,
    now = new Date(),
  ): Promise<void> {
    await this.agents.update({ id: agentId, revokedAt: IsNull() }, { version, freeSlots, lastSeenAt: now });
  }

  async list(organizationId: string, now = new Date()): Promise<AgentResponse[]> {
    const found = await this.agents.find({ where: { organizationId }, order: { id: 'DESC' } });
    return found.map((agent) => toAgentResponse(agent, now));
  }

  /** From here on the agent gets no JWT and no work; its connection is cut at once. Revoking again changes nothing. */
  async revoke(organizationId: string, agentId: string, now = new Date()): Promise<AgentResponse> {
    await this.agents.update({ id: agentId, organizationId, revokedAt: IsNull() }, { revokedAt: now });
    const agent = await this.agents.findOneBy({ id: agentId, organizationId });
    if (agent === null) throw new ApiError('not_found', 'There is no such agent.');
    // The table decides; when NATS is away, the link pushes all revocations as soon as it is back.
    await this.cutOff(agent).catch((error: unknown) =>
      this.logger.error(`cutting ${agentId} off: ${String(error)}`),
    );
    return toAgentResponse(agent, now);
  }

  async enrolledAgentIds(): Promise<readonly string[]> {
    const found = await this.agents.find({ select: { id: true }, where: { revokedAt: IsNull() } });
    return found.map(({ id }) => id);
  }

  async revokedKeys(): Promise<ReadonlyMap<string, number>> {
    const found = await this.agents.find({
      select: { id: true, natsPublicKey: true, revokedAt: true },
      where: { revokedAt: Not(IsNull()) },
    });
    return new Map(
      found.map(({ natsPublicKey, revokedAt }) => [
        natsPublicKey,
        Math.ceil(Number(revokedAt) / 1000) + REVOCATION_MARGIN_SECONDS,
      ]),
    );
  }

  private async cutOff(agent: AgentEntity): Promise<void> {
    await this.link.revokeAgent(agent.natsPublicKey);
    await this.link.removeAgentConsumer(agent.id);
  }
}

// A renewal that looked at the table just before the revocation may sign a JWT a moment after it.
const REVOCATION_MARGIN_SECONDS = 3_600;

function toEnrolledAgent({ id, name, sealingPublicKey, lastSeenAt, freeSlots }: AgentEntity): EnrolledAgent {
  return { id, name, sealingPublicKey: new Uint8Array(sealingPublicKey), lastSeenAt, freeSlots };
}
