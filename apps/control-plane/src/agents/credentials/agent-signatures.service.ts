import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import { AgentTrustService } from '../../agent-link/connection/agent-trust.service.js';
import { ApiError } from '../../http/errors/api-error.js';
import { SPEND_NONCE } from './agent-nonces.sql.js';
import { AgentEntity } from '../agent.entity.js';
import type { SignedByAgentDto } from '../agents.dto.js';

/** The largest accepted difference between the time of a signature and the clock of the control plane. */
export const SIGNATURE_CLOCK_TOLERANCE_MS = 60_000;

/**
 * Time for which a nonce is kept. A signature whose time is in the future can be accepted for up to twice the
 * tolerance. A nonce is kept for twice that time, because the clocks of several control planes may differ.
 */
const NONCE_KEPT_MS = 4 * SIGNATURE_CLOCK_TOLERANCE_MS;

/** Verifies requests that an agent sends over HTTPS. An agent has no API token; it signs with its enrolled key. */
@Injectable()
export class AgentSignatures {
  constructor(
    @InjectRepository(AgentEntity) private readonly agents: Repository<AgentEntity>,
    private readonly trust: AgentTrustService,
  ) {}

  /**
   * Returns the agent that signed a request. Accepts each request once: PostgreSQL keeps the nonce for all
   * replicas until the signature can no longer be accepted.
   * @param message the signed text, which contains the purpose and every field of the request
   * @throws ApiError `unauthorized`, the same error for every reason
   */
  async agentOf(request: SignedByAgentDto, message: string, now = new Date()): Promise<AgentEntity> {
    const agent = await this.agents.findOneBy({ id: request.agent_id, revokedAt: IsNull() });
    const signature = Buffer.from(request.signature, 'base64');
    const skewMs = Math.abs(now.getTime() - Date.parse(request.issued_at));
    const genuine = agent !== null && this.trust.verify(agent.natsPublicKey, message, signature);
    if (!genuine || !(skewMs <= SIGNATURE_CLOCK_TOLERANCE_MS)) throw refusedAgent();
    // Only genuine requests store a nonce, so that nobody else can fill the table.
    const spent = await this.agents.query<unknown[]>(SPEND_NONCE, [agent.id, request.nonce, NONCE_KEPT_MS]);
    if (spent.length === 0) throw refusedAgent();
    return agent;
  }
}

/**
 * Returns the same error for every reason, so that a response does not reveal whether token, key or clock is
 * wrong.
 */
export function refusedAgent(): ApiError {
  return new ApiError('unauthorized', 'These agent credentials are not valid.');
}
