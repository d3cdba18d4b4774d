import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager, type FindOptionsWhere } from 'typeorm';

import { AgentsService } from '../agents/agents.service.js';
import { auditRequest } from '../audit-log/insert-audit-entry.js';
import type { CallerRequest } from '../http/pipeline/caller-request.js';
import { findPage } from '../persistence/find-page.js';
import type { Paged, PageQuery } from '../http/dto/page.dto.js';
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
      await auditRequest(manager, request, { now, action: 'model.deleted', targetId: name });
      return true;
    });
    if (deleted) this.erasures.wake();
    return deleted;
  }

  /** @param name `private/<name>` */
  async find(organizationId: string, name: string): Promise<PrivateModelResponse | undefined> {
    const model = await this.models.findOneBy({ organizationId, name });
    return model === null ? undefined : toPrivateModelResponse(model);
  }

  /** The last trained first. */
  list(organizationId: string, query: PageQuery): Promise<Paged<'models', PrivateModelResponse>> {
    return this.page({ organizationId }, query);
  }

  /** The last trained first. @throws ApiError `not_found` when there is no such agent */
  async listOfAgent(
    organizationId: string,
    agentId: string,
    query: PageQuery,
  ): Promise<Paged<'models', PrivateModelResponse>> {
    await this.agents.get(organizationId, agentId);
    return this.page({ organizationId, agentId }, query);
  }

  private async page(where: FindOptionsWhere<PrivateModelEntity>, query: PageQuery) {
    const order = { trainedAt: 'DESC', name: 'ASC' } as const;
    const { rows, ...page } = await findPage(this.models.manager, PrivateModelEntity, query, {
      where,
      order,
    });
    return { models: rows.map(toPrivateModelResponse), ...page };
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
