import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';

import { AgentsService } from '../agents/agents.service.js';
import { pageOf, type Paged, type PageQuery } from '../http/page.dto.js';
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
  ) {}

  /** Inside the caller's transaction. Training a name again replaces its model. */
  async note(
    manager: EntityManager,
    organizationId: string,
    model: Pick<PrivateModelEntity, 'name' | 'hash' | 'agentId' | 'trainedAt'>,
  ): Promise<void> {
    await manager.upsert(PrivateModelEntity, { organizationId, ...model }, ['organizationId', 'name']);
  }

  /** The last trained first. @throws ApiError `not_found` when there is no such agent */
  async listOfAgent(
    organizationId: string,
    agentId: string,
    query: PageQuery,
  ): Promise<Paged<'models', PrivateModelResponse>> {
    await this.agents.get(organizationId, agentId);
    const { page, perPage } = pageOf(query);
    const [models, total] = await this.models.findAndCount({
      where: { organizationId, agentId },
      order: { trainedAt: 'DESC', name: 'ASC' },
      skip: (page - 1) * perPage,
      take: perPage,
    });
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
