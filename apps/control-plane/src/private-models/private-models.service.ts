import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';

import { AgentsService } from '../agents/agents.service.js';
import { actorOf } from '../audit-log/audit-entry.js';
import { insertAuditEntry } from '../audit-log/insert-audit-entry.js';
import type { CallerRequest } from '../http/pipeline/caller-request.js';
import { findPage } from '../persistence/find-page.js';
import { pageOf, type Paged, type PageQuery } from '../http/dto/page.dto.js';
import { ModelErasuresService } from './model-erasures.service.js';
import { PrivateModelEntity } from './private-model.entity.js';

export interface PrivateModelResponse {
  /** `private/<name>`. */
  readonly id: string;
  readonly name: string;
  /** HMAC under a key that never leaves the agent; 64 hex digits. */
  readonly hash: string;
  readonly agent_id: string;
  readonly trained_at: string;
}

/** What is known here of the models that agents trained: names and keyed hashes. */
@Injectable()
export class PrivateModelsService {
  constructor(
    @InjectRepository(PrivateModelEntity) private readonly models: Repository<PrivateModelEntity>,
    private readonly agents: AgentsService,
    private readonly erasures: ModelErasuresService,
  ) {}

  /** Inside the caller's transaction. Training a name again replaces its model. */
  async record(
    manager: EntityManager,
    organizationId: string,
    model: Pick<PrivateModelEntity, 'name' | 'hash' | 'agentId' | 'trainedAt'>,
  ): Promise<void> {
    await manager.upsert(PrivateModelEntity, { organizationId, ...model }, ['organizationId', 'name']);
  }

  /** Forgets the model, and has every agent of the organisation erase it. @returns false when there is none of that name */
  async delete(request: CallerRequest, name: string, now = new Date()): Promise<boolean> {
    const { organizationId } = request.caller;
    const deleted = await this.models.manager.transaction(async (manager) => {
      const { affected } = await manager.delete(PrivateModelEntity, { organizationId, name });
      if (affected !== 1) return false;
      await this.erasures.request(manager, organizationId, name, now);
      await insertAuditEntry(manager, {
        organizationId,
        occurredAt: now,
        actor: actorOf(request.caller),
        action: 'model.deleted',
        target: { type: 'model', id: name },
        requestId: request.id,
      });
      return true;
    });
    if (deleted) this.erasures.wake();
    return deleted;
  }

  /** The last trained first. @throws ApiError `not_found` when there is no such agent */
  async listOfAgent(
    organizationId: string,
    agentId: string,
    query: PageQuery,
  ): Promise<Paged<'models', PrivateModelResponse>> {
    await this.agents.get(organizationId, agentId);
    const { page, perPage } = pageOf(query);
    const [models, total] = await findPage(
      this.models.manager,
      PrivateModelEntity,
      { where: { organizationId, agentId }, order: { trainedAt: 'DESC', name: 'ASC' } },
      { page, perPage },
    );
    return { models: models.map(toPrivateModelResponse), total, page, per_page: perPage };
  }
}

function toPrivateModelResponse(model: PrivateModelEntity): PrivateModelResponse {
  return {
    id: model.name,
    name: model.name.replace(/^private\//, ''),
    hash: model.hash,
    agent_id: model.agentId,
    trained_at: model.trainedAt.toISOString(),
  };
}
