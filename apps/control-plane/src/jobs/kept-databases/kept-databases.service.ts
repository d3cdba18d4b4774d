import { Injectable, type OnModuleInit } from '@nestjs/common';
import { byName, type DropResult } from '@understudy/agent-protocol';
import { DataSource, type EntityManager } from 'typeorm';

import { AgentLinkService } from '../../agents/agent-link/connection/agent-link.service.js';
import { type AgentTask, AgentTasks } from '../../agents/agent-work/agent-tasks.js';
import type { WorkWarning } from '../../agents/agent-work/choice/waiting-warnings.js';
import type { AgentRequirement } from '../../agents/agent-work/choice/agent-requirement.js';
import { type AgentDatabase, toCommandDatabase } from '../../agents/agent-work/connections/agent-database.js';
import { DUE_DROPS, END_DROP, LATER_REPLACEMENT, MARK_REPLACED } from './kept-databases.sql.js';
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

function keptDatabaseLeft(code: string): WorkWarning {
  const reason =
    code === 'kept_database_changed'
      ? 'Another database has its name'
      : 'The role of the agent may not drop it, because its owner was changed or it was made a template';
  return {
    code: 'kept_database_left',
    message: `The database that the job replaced is not kept any more, but it was not dropped. ${reason}. The log of the agent names it. If nobody needs it, drop it with DROP DATABASE as its owner.`,
  };
}

/** A job or restore that has replaced a database. */
export interface CompletedReplacement {
  readonly id: string;
  readonly organizationId: string;
  readonly target: AgentDatabase;
  readonly requires: AgentRequirement;
  readonly agentId: string | null;
}

/** The end of a replacement. */
export interface ReplacementEnd {
  /** Undefined if the agent keeps no database. */
  readonly keptHours: number | undefined;
  /** When the agent reported it, by its clock. A report can arrive after that of a later replacement. */
  readonly replacedAt: Date | null;
  /** Whether a revert ends the sessions that use the target. */
  readonly endSessions?: boolean;
  readonly now: Date;
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

  /** Records the end of a replacement. */
  async replaced(
    manager: EntityManager,
    { id: workId, organizationId, target, requires, agentId }: CompletedReplacement,
    { keptHours, replacedAt, endSessions = false, now }: ReplacementEnd,
  ): Promise<void> {
    // The fingerprints of policies would prevent the drop after each change of a policy.
    const { maskingKey: _, policies, ...able } = requires;
    const policy = (target.kind === 'agent' && policies?.[byName(target.name)]) || null;
    let isLast = true;
    if (target.kind === 'agent') {
      const parameters = [workId, organizationId, target.name, agentId, policy, replacedAt];
      await manager.query(MARK_REPLACED, parameters);
      const later: unknown[] = await manager.query(LATER_REPLACEMENT, parameters);
      isLast = later.length === 0;
    }
    if (keptHours === undefined) return;
    await manager.insert(KeptDatabaseEntity, {
      ...{ workId, organizationId, target, lastChange: workId, isLast },
      ...{ agentId, policy, replacedAt, endSessions },
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

  /**
   * Deletes the record of a database that an agent has dropped, or that no agent can drop. In the latter case, its job
   * gets a warning. Has no effect if the record is deleted already.
   */
  async dropped({ changeId, code }: DropResult, agentId: string): Promise<void> {
    const warnings = code === undefined ? [] : [keptDatabaseLeft(code)];
    await this.dataSource.query(END_DROP, [changeId, agentId, JSON.stringify(warnings)]);
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
