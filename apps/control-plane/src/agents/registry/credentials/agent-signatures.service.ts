import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { AgentTrustService } from '../../agent-link/connection/agent-trust.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { SignedRequest } from '../../../platform/http/pipeline/signed-request.js';
import { AgentEntity } from '../agent.entity.js';
import type { SignedByAgentDto } from '../agents.dto.js';
import { SPEND_NONCE } from './agent-nonces.sql.js';
import { ConcurrencyLimit } from './concurrency-limit.js';

/** The largest accepted difference between the time of a signature and the clock of the control plane. */
export const SIGNATURE_CLOCK_TOLERANCE_MS = 60_000;

/**
 * Time for which a nonce is kept. A signature whose time is in the future can be accepted for up to twice the
 * tolerance. A nonce is kept for twice that time, because the clocks of several control planes may differ.
 */
const NONCE_KEPT_MS = 4 * SIGNATURE_CLOCK_TOLERANCE_MS;

/**
 * Number of signatures that are checked concurrently. Nothing limits requests before their signature is
 * checked, and each check uses a database connection. Other requests need connections too.
 */
const CONCURRENT_CHECKS = 8;

/** Verifies requests that an agent sends over HTTPS. An agent has no API token; it signs with its enrolled key. */
@Injectable()
export class AgentSignatures {
  private readonly checks = new ConcurrencyLimit(CONCURRENT_CHECKS);

  constructor(
    private readonly dataSource: DataSource,
    private readonly trust: AgentTrustService,
  ) {}

  /**
   * Returns the agent that signed a request, and counts the request for this agent. Accepts each request
   * once: PostgreSQL keeps the nonce for all replicas until the signature can no longer be accepted.
   * @param message the signed text, which contains the purpose and every field of the request
   * @throws ApiError `unauthorized`, with the same message unless the signature is genuine; `forbidden` if the
   *   signature is genuine and the agent is revoked; `rate_limit_exceeded`
   */
  agentOf(
    request: SignedRequest,
    dto: SignedByAgentDto,
    message: string,
    now = new Date(),
  ): Promise<AgentEntity> {
    return this.checks.run(() => this.check(request, dto, message, now));
  }

  private async check(
    request: SignedRequest,
    dto: SignedByAgentDto,
    message: string,
    now: Date,
  ): Promise<AgentEntity> {
    const agent = await this.signer(dto, message);
    await request.countForAgent(agent.id);
    if (agent.revokedAt !== null) throw revokedAgent();
    const aheadMs = Date.parse(dto.issued_at) - now.getTime();
    if (!(Math.abs(aheadMs) <= SIGNATURE_CLOCK_TOLERANCE_MS)) throw differentClock(aheadMs);
    // Only genuine requests store a nonce, so that nobody else can fill the table.
    const nonce = [agent.id, dto.nonce, NONCE_KEPT_MS];
    const spent = await this.dataSource.query<unknown[]>(SPEND_NONCE, nonce);
    if (spent.length === 0) throw refusedAgent();
    return agent;
  }

  /** Returns the agent whose key made the signature. The agent may be revoked. */
  private async signer(dto: SignedByAgentDto, message: string): Promise<AgentEntity> {
    const agent = await this.dataSource.manager.findOneBy(AgentEntity, { id: dto.agent_id });
    const signature = Buffer.from(dto.signature, 'base64');
    if (agent === null || !this.trust.verify(agent.natsPublicKey, message, signature)) throw refusedAgent();
    return agent;
  }
}

/**
 * Returns the same error for every reason, so that a response does not reveal to a stranger whether an agent
 * exists or whether a token was used.
 */
export function refusedAgent(): ApiError {
  return new ApiError('unauthorized', 'These agent credentials are not valid.');
}

/** Returns the error for a genuine signature of a revoked agent. No later request of this agent can succeed. */
function revokedAgent(): ApiError {
  return new ApiError('forbidden', 'This agent is revoked. Enrol it again with a new state folder.');
}

/** @param aheadMs difference between the clock of the agent and that of this machine; NaN if it is not known */
function differentClock(aheadMs: number): ApiError {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const difference = Number.isFinite(aheadMs)
    ? `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`
    : 'different from';
  return new ApiError(
    'unauthorized',
    `The clock of the agent is ${difference} the clock of the control plane. At most ${SIGNATURE_CLOCK_TOLERANCE_MS / 1000} s are accepted.`,
  );
}
