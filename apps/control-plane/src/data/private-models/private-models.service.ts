import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type FindOptionsWhere } from 'typeorm';

import { AgentsService } from '../../agents/registry/agents.service.js';
import { auditRequest } from '../../platform/audit-log/insert-audit-entry.js';
import type { CallerRequest } from '../../platform/http/pipeline/caller-request.js';
import { findPage } from '../../platform/persistence/find-page.js';
import type { Paged, PageQuery } from '../../platform/http/dto/page.dto.js';
import { ModelErasuresService } from './model-erasures.service.js';
import { PrivateModelEntity } from './private-model.entity.js';
import { toPrivateModelResponse, type PrivateModelResponse } from './private-model-response.js';

/** Stores names and keyed hashes of the models that agents trained. */
@Injectable()
export class PrivateModelsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly agents: AgentsService,
    private readonly erasures: ModelErasuresService,
  ) {}

  /**
   * Records a trained model inside the caller's transaction. The model replaces an earlier one of the same
   * name.
   */
  async record(
    manager: EntityManager,
    organizationId: string,
    model: Pick<PrivateModelEntity, 'name' | 'hash' | 'agentId' | 'trainedAt'>,
  ): Promise<void> {
    await manager.upsert(PrivateModelEntity, { organizationId, ...model }, ['organizationId', 'name']);
  }

  /**
   * Deletes the model, and requests its erasure from every agent of the organisation.
   * @returns false if there is no model of this name
   */
  async delete(request: CallerRequest, name: string, now = new Date()): Promise<boolean> {
    const { organizationId } = request.caller;
    const deleted = await this.dataSource.transaction(async (manager) => {
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
    const model = await this.dataSource.manager.findOneBy(PrivateModelEntity, { organizationId, name });
    return model === null ? undefined : toPrivateModelResponse(model);
  }

  /** Returns a page of the models, the most recently trained first. */
  list(organizationId: string, query: PageQuery): Promise<Paged<'models', PrivateModelResponse>> {
    return this.page({ organizationId }, query);
  }

  /**
   * Returns a page of the models of one agent, the most recently trained first.
   * @throws ApiError `not_found` if there is no such agent
   */
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
    const { rows, ...page } = await findPage(this.dataSource.manager, PrivateModelEntity, query, {
      where,
      order,
    });
    return { models: rows.map(toPrivateModelResponse), ...page };
  }
}
