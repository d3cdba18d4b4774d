import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RevertResult } from '@understudy/agent-protocol';
import { DataSource, type EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import { AgentLinkService } from '../../agents/agent-link/connection/agent-link.service.js';
import { type AgentTask, AgentTasks } from '../../agents/agent-work/agent-tasks.js';
import { toCommandDatabase } from '../../agents/agent-work/connections/agent-database.js';
import { auditRequest } from '../../platform/audit-log/insert-audit-entry.js';
import { ApiError, noSuch } from '../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../platform/http/pipeline/caller-request.js';
import { databaseNow } from '../../platform/persistence/database-values.js';
import { WebhookEventsService } from '../../webhooks/events/webhook-events.service.js';
import { KeptDatabaseEntity } from './kept-database.entity.js';
import {
  DUE_REVERTS,
  END_DELETED_REVERT,
  EXPIRED_REVERTS,
  LOCK_JOB,
  LOCK_REVERT,
} from './kept-databases.sql.js';
import {
  type AcceptedRevert,
  revertError,
  type RevertResponse,
  toRevertResponse,
} from './revert-response.js';
import { SyncJobRevertEntity } from './sync-job-revert.entity.js';

interface Due {
  readonly revertId: string;
  readonly agentId: string;
}

interface LockedJob {
  readonly name: string;
  readonly status: string;
}

interface LockedRevert {
  readonly id: string;
  readonly jobId: string;
  readonly status: SyncJobRevertEntity['status'];
  readonly name: string;
  readonly organizationId: string;
}

/**
 * Brings back databases that sync jobs have replaced. The command is sent again and again, each time to a live agent that
 * may use the target, until an agent reports the end. An agent swaps the databases at most once for a revert.
 */
@Injectable()
export class RevertsService implements AgentTask<Due>, OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tasks: AgentTasks,
    private readonly link: AgentLinkService,
    private readonly webhooks: WebhookEventsService,
  ) {}

  onModuleInit(): void {
    this.tasks.register(this);
  }

  /** @throws ApiError `not_found`, or `conflict` with the reason if the job cannot be reverted */
  async create(request: CallerRequest, jobId: string): Promise<AcceptedRevert> {
    const { organizationId } = request.caller;
    return this.dataSource.transaction(async (manager) => {
      const [job]: LockedJob[] = await manager.query(LOCK_JOB, [jobId, organizationId]);
      if (job === undefined) throw noSuch('sync job');
      const now = await databaseNow(manager);
      const kept = await manager.findOneBy(KeptDatabaseEntity, { workId: jobId });
      const reason = whyNot(job, kept, now);
      if (kept === null || reason !== undefined) throw new ApiError('conflict', reason ?? NOT_KEPT);
      if (await manager.existsBy(SyncJobRevertEntity, { jobId, status: 'pending' }))
        throw new ApiError('conflict', PENDING);
      const id = `rvt_${ulid()}`;
      const row = {
        id,
        jobId,
        organizationId,
        lastChange: kept.lastChange,
        status: 'pending' as const,
        createdAt: now,
      };
      await manager.insert(SyncJobRevertEntity, row);
      const details = { name: job.name, revert_id: id };
      await auditRequest(manager, request, { now, action: 'sync_job.reverted', targetId: jobId, details });
      return { id: jobId, revert_id: id, status: row.status };
    });
  }

  /** @throws ApiError `not_found` */
  async get(organizationId: string, jobId: string, id: string): Promise<RevertResponse> {
    const revert = await this.dataSource.manager.findOneBy(SyncJobRevertEntity, {
      id,
      jobId,
      organizationId,
    });
    if (revert === null) throw noSuch('revert');
    return toRevertResponse(revert);
  }

  /**
   * Records the end of a revert. A success counts even after a failure, because another agent can have reported that.
   * @param agentId undefined if no agent has reported an end
   */
  async ended({ revertId, code }: RevertResult, agentId?: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const found: LockedRevert[] = await manager.query(LOCK_REVERT, [revertId, agentId ?? null]);
      const [revert] = found;
      if (revert === undefined && code === undefined)
        await manager.query(END_DELETED_REVERT, [revertId, agentId ?? null]);
      if (revert === undefined || revert.status === 'completed') return;
      if (code !== undefined && revert.status === 'failed') return;
      await this.end(manager, revert, code);
    });
    this.webhooks.wake();
  }

  async due(limit: number): Promise<Due[]> {
    const expired: { id: string }[] = await this.dataSource.query(EXPIRED_REVERTS, [limit]);
    for (const { id } of expired) await this.ended({ revertId: id, code: 'lease_lost' });
    return this.dataSource.query(DUE_REVERTS, [limit]);
  }

  async send({ revertId, agentId }: Due): Promise<void> {
    const { manager } = this.dataSource;
    const revert = await manager.findOneBy(SyncJobRevertEntity, { id: revertId, status: 'pending' });
    const kept = revert && (await manager.findOneBy(KeptDatabaseEntity, { workId: revert.jobId }));
    if (!kept) return;
    const attempt = revert.attempts + 1;
    const sent = { sentAt: () => 'now()', attempts: attempt, agentId };
    await manager.update(SyncJobRevertEntity, { id: revertId }, sent);
    const { jobId: workId, lastChange: lastChangeId } = revert;
    await manager.update(KeptDatabaseEntity, { workId }, { reverting: revertId });
    const target = toCommandDatabase(kept.target, agentId, kept.requires);
    const data = { revertId, attempt, workId, lastChangeId, target, endSessions: kept.endSessions === true };
    await this.link.send(agentId, { pattern: 'revert_replacement', data });
  }

  private async end(
    manager: EntityManager,
    { id, jobId, name, organizationId }: LockedRevert,
    code: string | undefined,
  ): Promise<void> {
    const now = await databaseNow(manager);
    const status = code === undefined ? 'completed' : 'failed';
    await manager.update(SyncJobRevertEntity, { id }, { status, errorCode: code ?? null, endedAt: now });
    if (code === undefined)
      await manager.update(
        KeptDatabaseEntity,
        { workId: jobId },
        { lastChange: id, revertedAt: () => 'CASE WHEN reverted_at IS NULL THEN now() END' },
      );
    const error = code === undefined ? undefined : revertError(code);
    await this.webhooks.record(manager, {
      ...{ organizationId, subject: jobId, occurredAt: now },
      type: error === undefined ? 'sync.reverted' : 'sync.revert_failed',
      data: { job_id: jobId, name, revert_id: id, ...(error && { error }) },
    });
  }
}

function whyNot({ status }: LockedJob, kept: KeptDatabaseEntity | null, now: Date): string | undefined {
  if (status !== 'completed') return NOT_COMPLETED;
  if (kept === null || kept.keptUntil <= now) return NOT_KEPT;
  return kept.isLast ? undefined : NOT_LAST;
}

const NOT_COMPLETED = 'The job has not completed, so it has replaced nothing.';
const NOT_KEPT =
  'No database is kept for this job. It replaced no database, or the database was dropped after keep_replaced_hours.';
const NOT_LAST =
  'Another job or restore has replaced the target since. Only the last replacement can be reverted.';
const PENDING = 'A revert of this job has not ended. Wait for its end.';
