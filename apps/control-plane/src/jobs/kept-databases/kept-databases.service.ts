import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { AgentLinkService } from '../../agents/agent-link/connection/agent-link.service.js';
import { type AgentTask, AgentTasks } from '../../agents/agent-work/agent-tasks.js';
import type { AgentRequirement } from '../../agents/agent-work/choice/agent-requirement.js';
import { type AgentDatabase, toCommandDatabase } from '../../agents/agent-work/connections/agent-database.js';
import { DUE_DROPS, END_DROP, MARK_REPLACED } from './kept-databases.sql.js';
import { KeptDatabaseEntity } from './kept-database.entity.js';
import { SyncJobRevertEntity } from './sync-job-revert.entity.js';

interface Due {
  readonly workId: string;
  readonly agentId: string;
}

/** Until when a replaced database is kept, and its newest revert. */
export interface KeptUntil extends Pick<KeptDatabaseEntity, 'keptUntil' | 'revertedAt'> {
  readonly lastRevert: SyncJobRevertEntity | null;
}

/** A job or restore that has replaced a database. */
export interface CompletedReplacement {
  readonly id: string;
  readonly organizationId: string;
  readonly target: AgentDatabase;
  readonly requires: AgentRequirement;
}

/**
 * Records which replaced databases agents keep, and makes agents drop them when their time has passed, by the clock of
 * the control plane. The command is sent again and again, each time to a live agent that may use the target, until an
 * agent acknowledges it.
 */
@Injectable()
export class KeptDatabasesService implements AgentTask<Due>, OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tasks: AgentTasks,
    private readonly link: AgentLinkService,
  ) {}

  onModuleInit(): void {
    this.tasks.register(this);
  }

  /** Records the end of a replacement. @param keptHours undefined if the agent keeps no database */
  async replaced(
    manager: EntityManager,
    { id: workId, organizationId, target, requires }: CompletedReplacement,
    keptHours: number | undefined,
    now: Date,
  ): Promise<void> {
    if (target.kind === 'agent') await manager.query(MARK_REPLACED, [workId, organizationId, target.name]);
    if (keptHours === undefined) return;
    // The fingerprints of policies would prevent the drop after each change of a policy.
    const { maskingKey: _, policies: __, ...able } = requires;
    await manager.insert(KeptDatabaseEntity, {
      ...{ workId, organizationId, target, lastChange: workId, isLast: true },
      requires: { ...able, capabilities: ['kept_databases'] } as object,
      keptUntil: new Date(now.getTime() + keptHours * 3_600_000),
    });
  }

  /** @param workId the job or restore that has replaced the database */
  async keptUntil(manager: EntityManager, workId: string): Promise<KeptUntil | null> {
    const kept = await manager.findOneBy(KeptDatabaseEntity, { workId });
    if (kept === null) return null;
    const newest = { where: { jobId: workId }, order: { createdAt: 'DESC', id: 'DESC' } } as const;
    return { ...kept, lastRevert: await manager.findOne(SyncJobRevertEntity, newest) };
  }

  /** Deletes the record of a database that an agent has dropped. Has no effect if it is deleted already. */
  async dropped(change: string, agentId: string): Promise<void> {
    await this.dataSource.query(END_DROP, [change, agentId]);
  }

  due(limit: number): Promise<Due[]> {
    return this.dataSource.query(DUE_DROPS, [limit]);
  }

  async send({ workId, agentId }: Due): Promise<void> {
    const { manager } = this.dataSource;
    const kept = await manager.findOneBy(KeptDatabaseEntity, { workId });
    if (kept === null) return;
    const { lastChange: changeId, target, requires } = kept;
    const data = { workId, changeId, target: toCommandDatabase(target, agentId, requires) };
    await manager.update(KeptDatabaseEntity, { workId }, { sentAt: () => 'now()' });
    await this.link.send(agentId, { pattern: 'drop_kept_database', data });
  }
}
