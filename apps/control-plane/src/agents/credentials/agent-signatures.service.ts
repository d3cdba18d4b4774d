import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import { AgentTrustService } from '../../agent-link/connection/agent-trust.service.js';
import { ApiError } from '../../http/errors/api-error.js';
import { SPEND_NONCE } from './agent-nonces.sql.js';
import { AgentEntity } from '../agent.entity.js';
import type { SignedByAgentDto } from '../agents.dto.js';

/** A signature older or newer than this is refused. */
export const SIGNATURE_CLOCK_TOLERANCE_MS = 60_000;

/** A signature of the near future is accepted for twice the tolerance. The clocks of the control planes may differ by as much again. */
const NONCE_KEPT_MS = 4 * SIGNATURE_CLOCK_TOLERANCE_MS;

/** Requests that an agent sends over HTTPS: it has no API token, but the key that it was enrolled with. */
@Injectable()
export class AgentSignatures {
  constructor(
    @InjectRepository(AgentEntity) private readonly agents: Repository<AgentEntity>,
    private readonly trust: AgentTrustService,
  ) {}

  /**
   * A request is answered once: its nonce is remembered in PostgreSQL, for all replicas, as long as its signature is accepted.
   * @param message what has to be signed; it names the purpose and every field of the request
   * @throws ApiError `unauthorized`, the same for every reason
   */
  async agentOf(request: SignedByAgentDto, message: string, now = new Date()): Promise<AgentEntity> {
    const agent = await this.agents.findOneBy({ id: request.agent_id, revokedAt: IsNull() });
    const signature = Buffer.from(request.signature, 'base64');
    const skewMs = Math.abs(now.getTime() - Date.parse(request.issued_at));
    const genuine = agent !== null && this.trust.verify(agent.natsPublicKey, message, signature);
    if (!genuine || !(skewMs <= SIGNATURE_CLOCK_TOLERANCE_MS)) throw refusedAgent();
    // Of genuine requests only: nobody else can fill the table.
    const spent = await this.agents.query<unknown[]>(SPEND_NONCE, [agent.id, request.nonce, NONCE_KEPT_MS]);
    if (spent.length === 0) throw refusedAgent();
    return agent;
  }
}

/** One answer for every reason: which of token, key and clock was wrong is not told. */
export function refusedAgent(): ApiError {
  return new ApiError('unauthorized', 'These agent credentials are not valid.');
}
