import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { AgentLinkService } from '../../../agents/agent-link/connection/agent-link.service.js';
import { toCommandDatabase } from '../../../agents/agent-work/connections/agent-database.js';
import { AgentTasks, type AgentTask } from '../../../agents/agent-work/agent-tasks.js';
import { DUE_CLEANUPS, FORGET_OLD_CLEANUPS, END_CLEANUP } from './target-cleanups.sql.js';
import { TargetCleanupEntity } from './target-cleanup.entity.js';

interface Due {
  readonly jobId: string;
  readonly agentId: string;
}

/**
 * Makes agents remove what a failed job left on its target, even if the agent that ran the job is gone. The
 * service sends the command again and again, each time to a live agent that may use the target, until an
 * agent acknowledges it or one day has passed. {@link SyncJobStore} writes the cleanup together with the
 * job's end.
 */
@Injectable()
export class TargetCleanupsService implements AgentTask<Due>, OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tasks: AgentTasks,
    private readonly link: AgentLinkService,
  ) {}

  onModuleInit(): void {
    this.tasks.register(this);
  }

  /**
   * Deletes the cleanup that an agent has acknowledged. Has no effect if the agent does not belong to the
   * job's organisation, or if the cleanup is already deleted.
   */
  async acknowledged(jobId: string, agentId: string): Promise<void> {
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
    const { epoch, target, requires } = cleanup;
    const data = { jobId, epoch, target: toCommandDatabase(target, agentId, requires) };
    await this.link.send(agentId, { pattern: 'clear_sync_target', data });
    await manager.update(TargetCleanupEntity, { jobId }, { sentAt: () => 'now()' });
  }
}
