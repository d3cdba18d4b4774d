import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { AgentLinkService } from '../../agent-link/connection/agent-link.service.js';
import { toCommandDatabase } from '../../agent-work/connections/agent-database.js';
import { AgentTasks, type AgentTask } from '../../agent-work/agent-tasks.js';
import { DUE_CLEANUPS, FORGET_OLD_CLEANUPS, END_CLEANUP } from './target-cleanups.sql.js';
import { TargetCleanupEntity } from './target-cleanup.entity.js';

interface Due {
  readonly jobId: string;
  readonly agentId: string;
}

/**
 * Sees to it that a failed job leaves nothing on its target, also when the agent that staged it is gone: any live agent that can open the
 * target is asked, until one has answered. Written with the job's end, in {@link SyncJobStore}.
 */
@Injectable()
export class TargetCleanupsService implements AgentTask<Due>, OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tasks: AgentTasks,
    private readonly link: AgentLinkService,
  ) {}

  onModuleInit(): void {
    this.tasks.register(this);
  }

  /** An agent has answered. Another organisation's job, or one that is cleaned up already, is left as it is. */
  async answered(jobId: string, agentId: string): Promise<void> {
    await this.dataSource.query(END_CLEANUP, [jobId, agentId]);
  }

  async due(limit: number): Promise<Due[]> {
    await this.dataSource.query(FORGET_OLD_CLEANUPS);
    return this.dataSource.query(DUE_CLEANUPS, [limit]);
  }

  async send({ jobId, agentId }: Due): Promise<void> {
    const { manager } = this.dataSource;
    const cleanup = await manager.findOneBy(TargetCleanupEntity, { jobId });
    if (cleanup === null) return;
    const { epoch, target } = cleanup;
    await this.link.sendTargetCleanup(agentId, {
      jobId,
      epoch,
      target: toCommandDatabase(target, agentId),
    });
    await manager.update(TargetCleanupEntity, { jobId }, { sentAt: () => 'now()' });
  }
}
