import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { AgentLinkService } from '../../agent-link/connection/agent-link.service.js';
import { toCommandDatabase } from '../../agent-work/connections/agent-database.js';
import { AgentErrands, type AgentErrand } from '../../agent-work/agent-tasks.js';
import { DUE_CLEARANCES, FORGET_OLD_CLEARANCES, TARGET_CLEARED } from './target-cleanups.sql.js';
import { TargetClearanceEntity } from './target-cleanup.entity.js';

interface Due {
  readonly jobId: string;
  readonly agentId: string;
}

/**
 * Sees to it that a failed job leaves nothing on its target, also when the agent that staged it is gone: any live agent that can open the
 * target is asked, until one has answered. Written with the job's end, in {@link SyncJobStore}.
 */
@Injectable()
export class TargetClearancesService implements AgentErrand<Due>, OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly errands: AgentErrands,
    private readonly link: AgentLinkService,
  ) {}

  onModuleInit(): void {
    this.errands.register(this);
  }

  /** An agent has answered. Another organisation's job, or one that is clear already, is left as it is. */
  async cleared(jobId: string, agentId: string): Promise<void> {
    await this.dataSource.query(TARGET_CLEARED, [jobId, agentId]);
  }

  async due(limit: number): Promise<Due[]> {
    await this.dataSource.query(FORGET_OLD_CLEARANCES);
    return this.dataSource.query(DUE_CLEARANCES, [limit]);
  }

  async send({ jobId, agentId }: Due): Promise<void> {
    const { manager } = this.dataSource;
    const clearance = await manager.findOneBy(TargetClearanceEntity, { jobId });
    if (clearance === null) return;
    const { epoch, target } = clearance;
    await this.link.sendTargetClearance(agentId, {
      jobId,
      epoch,
      target: toCommandDatabase(target, agentId),
    });
    await manager.update(TargetClearanceEntity, { jobId }, { sentAt: () => 'now()' });
  }
}
