import { Injectable, Logger } from '@nestjs/common';
import { DataSource, IsNull, MoreThan, type EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import { AgentLinkService } from '../../agent-link/connection/agent-link.service.js';
import { AgentTrustService } from '../../agent-link/connection/agent-trust.service.js';
import { insertAuditEntry } from '../../../platform/audit-log/insert-audit-entry.js';
import { ApiError, validationError } from '../../../platform/http/errors/api-error.js';
import type { ApiRequest } from '../../../platform/http/pipeline/caller-request.js';
import type { SignedRequest } from '../../../platform/http/pipeline/signed-request.js';
import { onUniqueViolation } from '../../../platform/persistence/statements.js';
import { hashOfSecret } from '../../../platform/random-secrets.js';
import { toCredentialsResponse, type CredentialsResponse } from '../agent-responses.js';
import { AgentSignatures, refusedAgent } from '../credentials/agent-signatures.service.js';
import { AgentEntity } from '../agent.entity.js';
import { type EnrolAgentDto, type RenewAgentDto, renewalMessage } from '../agents.dto.js';
import { AgentInstances } from '../instances/agent-instances.service.js';
import { EnrolmentTokenEntity } from './enrolment-token.entity.js';

/**
 * Issues credentials to agents: first in exchange for a one-time token, then for a signature with the agent's
 * key.
 */
@Injectable()
export class AgentEnrolmentService {
  private readonly logger = new Logger(AgentEnrolmentService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly trust: AgentTrustService,
    private readonly signatures: AgentSignatures,
    private readonly instances: AgentInstances,
    private readonly link: AgentLinkService,
  ) {}

  /**
   * Uses up the token and enrols the agent in one transaction. If several requests use one token
   * concurrently, only one succeeds.
   */
  async enrol(request: ApiRequest, dto: EnrolAgentDto, now = new Date()): Promise<CredentialsResponse> {
    if (!this.trust.isUserPublicKey(dto.nats_public_key)) {
      throw validationError([
        { field: 'nats_public_key', message: 'expected the public key of a NATS user' },
      ]);
    }
    const agent = await this.dataSource.transaction((manager) => insertAgent(manager, request, dto, now));
    // A failure is harmless: the first command also creates the consumer. An outage of NATS must not waste the token.
    await this.link
      .ensureAgentConsumer(agent.id)
      .catch((error: unknown) =>
        this.logger.warn(`could not create the consumer of ${agent.id}: ${String(error)}`),
      );
    return this.credentials(agent, now);
  }

  /**
   * Issues a new JWT to the owner of the agent's key, even if the old JWT has expired.
   * @throws ApiError as `AgentSignatures.agentOf` and `AgentInstances.admit` do
   */
  async renew(request: SignedRequest, dto: RenewAgentDto, now = new Date()): Promise<CredentialsResponse> {
    const { instance, take_over: takesOver = false } = dto;
    if (takesOver && instance === undefined)
      throw validationError([{ field: 'instance', message: 'is required if take_over is true' }]);
    const agent = await this.signatures.agentOf(request, dto, renewalMessage(dto), now);
    return this.credentials(agent, await this.instances.admit(agent.id, { instance, takesOver }, now));
  }

  private async credentials(agent: AgentEntity, issuedAt: Date): Promise<CredentialsResponse> {
    const issued = await this.trust.issue(agent.id, agent.natsPublicKey, issuedAt);
    return toCredentialsResponse(agent, this.trust.natsUrls, issued);
  }
}

async function insertAgent(
  manager: EntityManager,
  request: ApiRequest,
  dto: EnrolAgentDto,
  now: Date,
): Promise<AgentEntity> {
  const id = `agt_${ulid()}`;
  const tokenHash = hashOfSecret(dto.token);
  // The row lock of the UPDATE makes concurrent uses wait. They then find `used_at` set and change nothing.
  const { affected } = await manager.update(
    EnrolmentTokenEntity,
    { tokenHash, usedAt: IsNull(), expiresAt: MoreThan(now) },
    { usedAt: now, madeByMemberId: null },
  );
  if (affected !== 1) throw refusedAgent();
  const token = await manager.findOneByOrFail(EnrolmentTokenEntity, { tokenHash });
  const { organizationId } = token;
  const agent = manager.create(AgentEntity, {
    id,
    organizationId,
    name: dto.name,
    natsPublicKey: dto.nats_public_key,
    sealingPublicKey: Buffer.from(dto.sealing_public_key, 'base64'),
    enrolledAt: now,
    jwtIssuedAt: now,
    freeSlots: 0,
  });
  await manager.insert(AgentEntity, agent).catch(onUniqueViolation(alreadyEnrolled));
  await manager.update(EnrolmentTokenEntity, { tokenHash }, { agentId: id });
  await insertAuditEntry(manager, {
    ...{ organizationId, now, actor: { type: 'agent', id }, requestId: request.id },
    action: 'agent.enrolled',
    targetId: id,
    details: { name: dto.name, enrolment_token_id: token.id },
  });
  return agent;
}

function alreadyEnrolled(): ApiError {
  return new ApiError(
    'conflict',
    'An agent with this key is already enrolled. Create a new key pair for another agent.',
  );
}
