import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { AgentLinkService } from '../agent-link/agent-link.service.js';
import { toCommandDatabase } from '../agent-work/agent-database.js';
import { Configuration } from '../config/configuration.js';
import { RepeatingTask } from '../job-queue/repeating-task.js';
import { DUE_CLEARANCES, FORGET_OLD_CLEARANCES, TARGET_CLEARED } from './target-clearances.sql.js';
import { TargetClearanceEntity } from './target-clearance.entity.js';

const BATCH = 100;

/**
 * Sees to it that a failed job leaves nothing on its target, also when the agent that staged it is gone: any live agent that can open the
 * target is asked, until one has answered. Written with the job's end, in {@link SyncJobStore}.
 */
@Injectable()
export class TargetClearancesService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: RepeatingTask;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly link: AgentLinkService,
    { syncJobs }: Configuration,
  ) {
    const logger = new Logger(TargetClearancesService.name);
    this.task = new RepeatingTask(syncJobs.reconcileMs, () => this.sendDue(), logger);
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  /** An agent has answered. Another organisation's job, or one that is clear already, is left as it is. */
  async cleared(jobId: string, agentId: string): Promise<void> {
    await this.dataSource.query(TARGET_CLEARED, [jobId, agentId]);
  }

  private async sendDue(): Promise<void> {
    await this.dataSource.query(FORGET_OLD_CLEARANCES);
    if (!this.link.isConnected()) return;
    const due = await this.dataSource.query<Due[]>(DUE_CLEARANCES, [BATCH]);
    for (const each of due) await this.send(each);
  }

  private async send({ jobId, agentId }: Due): Promise<void> {
    const { manager } = this.dataSource;
    const clearance = await manager.findOneBy(TargetClearanceEntity, { jobId });
    if (clearance === null) return;
    const { epoch, target } = clearance;
    await this.link.sendTargetClearance(agentId, {
      jobId,
      epoch,
      target: toCommandDatabase(target, agentId),
    });
    await manager.update(TargetClearanceEntity, { jobId }, { sentAt: new Date() });
  }
}

interface Due {
  readonly jobId: string;
  readonly agentId: string;
}
