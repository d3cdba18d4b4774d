import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import { AgentLinkService } from '../agent-link/connection/agent-link.service.js';
import { AgentTasks, type AgentTask } from '../agent-work/agent-tasks.js';
import { AgentsService } from '../agents/agents.service.js';
import { ModelErasureEntity } from './model-erasure.entity.js';
import { UNANSWERED_ERASURES } from './unanswered-erasures.sql.js';

type Due = Pick<ModelErasureEntity, 'id'>;

/** Sends the deletion of a private model to the agents that may hold it: one agent task for each, written in the deletion's transaction. */
@Injectable()
export class ModelErasuresService implements AgentTask<Due>, OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly agents: AgentsService,
    private readonly tasks: AgentTasks,
    private readonly link: AgentLinkService,
  ) {}

  onModuleInit(): void {
    this.tasks.register(this);
  }

  /**
   * Inside the caller's transaction; call {@link wake} after its commit. Every enrolled agent is asked: which of them trained
   * a model of that name before the last one did is not known here.
   * @param name `private/<name>`
   */
  async request(
    manager: EntityManager,
    organizationId: string,
    name: string,
    requestedAt: Date,
  ): Promise<void> {
    for (const { id: agentId } of await this.agents.enrolledAgents(organizationId)) {
      const id = `ers_${ulid()}`;
      await manager.insert(ModelErasureEntity, { id, organizationId, agentId, name, requestedAt });
    }
  }

  wake(): void {
    this.tasks.wake();
  }

  /** The agent has answered. Another agent's erasure, or one that is done, is left as it is. */
  async answered(id: string, agentId: string): Promise<void> {
    await this.dataSource.manager.delete(ModelErasureEntity, { id, agentId });
  }

  due(limit: number): Promise<Due[]> {
    return this.dataSource.query(UNANSWERED_ERASURES, [limit]);
  }

  async send({ id }: Due): Promise<void> {
    const erasure = await this.dataSource.manager.findOneBy(ModelErasureEntity, { id });
    if (erasure === null) return;
    const { agentId, name, requestedAt } = erasure;
    await this.link.sendModelErasure(agentId, { id, name: name.replace(/^private\//, ''), requestedAt });
    await this.dataSource.manager.update(ModelErasureEntity, { id }, { sentAt: () => 'now()' });
  }
}
