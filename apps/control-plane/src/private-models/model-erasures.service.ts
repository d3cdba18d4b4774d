import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import { AgentLinkService } from '../agent-link/agent-link.service.js';
import { AgentsService } from '../agents/agents.service.js';
import { Configuration } from '../config/configuration.js';
import { JobQueue } from '../job-queue/job-queue.js';
import { OutboxService } from '../job-queue/outbox.service.js';
import { RepeatingTask } from '../job-queue/repeating-task.js';
import { ModelErasureEntity } from './model-erasure.entity.js';
import { UNANSWERED_ERASURES } from './unanswered-erasures.sql.js';

const TOPIC = 'private_model.erase';
const BATCH = 100;

/**
 * Brings the deletion of a private model to the agents that may hold it: asked for in the deletion's transaction, sent
 * until each agent has answered, through outages of Redis and NATS and for as long as an agent is away.
 */
@Injectable()
export class ModelErasuresService implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: RepeatingTask;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly agents: AgentsService,
    private readonly outbox: OutboxService,
    private readonly queue: JobQueue,
    private readonly link: AgentLinkService,
    { syncJobs }: Configuration,
  ) {
    this.task = new RepeatingTask(
      syncJobs.reconcileMs,
      () => this.reconcile(),
      new Logger(ModelErasuresService.name),
    );
  }

  onModuleInit(): void {
    this.queue.handle(TOPIC, (id) => this.send(id));
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  /**
   * Inside the caller's transaction; wake the outbox after its commit. Every enrolled agent is asked: which of them trained
   * a model of that name before the last one did is not known here.
   * @param name `private/<name>`
   */
  async ask(manager: EntityManager, organizationId: string, name: string, requestedAt: Date): Promise<void> {
    for (const { id: agentId } of await this.agents.enrolledAgents(organizationId)) {
      const id = `ers_${ulid()}`;
      await manager.insert(ModelErasureEntity, { id, organizationId, agentId, name, requestedAt });
      await this.outbox.write(manager, TOPIC, id);
    }
  }

  /** The agent has answered. Another agent's erasure, or one that is done, is left as it is. */
  async answered(id: string, agentId: string): Promise<void> {
    await this.dataSource.manager.delete(ModelErasureEntity, { id, agentId });
  }

  private async send(id: string): Promise<void> {
    const erasure = await this.dataSource.manager.findOneBy(ModelErasureEntity, { id });
    if (erasure === null || !this.link.isConnected()) return;
    const { agentId, name, requestedAt } = erasure;
    await this.link.sendModelErasure(agentId, { id, name: name.replace(/^private\//, ''), requestedAt });
    await this.dataSource.manager.update(ModelErasureEntity, { id }, { sentAt: new Date() });
  }

  private async reconcile(): Promise<void> {
    const unanswered = await this.dataSource.query<{ id: string }[]>(UNANSWERED_ERASURES, [BATCH]);
    if (unanswered.length > 0)
      await this.queue.add(
        TOPIC,
        unanswered.map(({ id }) => id),
      );
  }
}
