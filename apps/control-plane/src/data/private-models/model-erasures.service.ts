import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import { AgentLinkService } from '../../agents/agent-link/connection/agent-link.service.js';
import { AgentTasks, type AgentTask } from '../../agents/agent-work/agent-tasks.js';
import { AgentsService } from '../../agents/registry/agents.service.js';
import { ModelErasureEntity } from './model-erasure.entity.js';
import { PENDING_ERASURES } from './pending-erasures.sql.js';

type Due = Pick<ModelErasureEntity, 'id'>;

/**
 * Sends the deletion of a private model to the agents that may store it. Each agent gets one agent task,
 * which is written in the transaction of the deletion.
 */
@Injectable()
export class ModelErasuresService implements AgentTask<Due>, OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly agents: AgentsService,
    private readonly tasks: AgentTasks,
    private readonly link: AgentLinkService,
  ) {}

  onModuleInit(): void {
    this.tasks.register(this);
  }

  /**
   * Requests the erasure inside the caller's transaction; call {@link wake} after the commit. Every enrolled
   * agent gets a task, because the control plane does not know which agents trained earlier models of this
   * name.
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

  /**
   * Deletes the task that the agent has acknowledged. Has no effect if the agent has no task with this id.
   */
  async acknowledged(id: string, agentId: string): Promise<void> {
    await this.dataSource.manager.delete(ModelErasureEntity, { id, agentId });
  }

  due(limit: number): Promise<Due[]> {
    return this.dataSource.query(PENDING_ERASURES, [limit]);
  }

  async send({ id }: Due): Promise<void> {
    const erasure = await this.dataSource.manager.findOneBy(ModelErasureEntity, { id });
    if (erasure === null) return;
    const { agentId, name, requestedAt } = erasure;
    const data = { id, name: name.replace(/^private\//, ''), requestedAt };
    await this.link.send(agentId, { pattern: 'erase_private_model', data });
    await this.dataSource.manager.update(ModelErasureEntity, { id }, { sentAt: () => 'now()' });
  }
}
