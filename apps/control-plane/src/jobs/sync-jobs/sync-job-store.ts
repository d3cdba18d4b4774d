import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { failureError, namesOf } from '@understudy/sync-job';

import { AgentLinkService } from '../../agents/agent-link/connection/agent-link.service.js';
import type { requirementColumns } from '../../agents/agent-work/leases/work-columns.js';
import { LeasedWork, LeasedWorks, type LockedWork } from '../../agents/agent-work/leases/leased-work.js';
import { WebhookEventsService } from '../../webhooks/events/webhook-events.service.js';
import { changedTables, erasedDatabases, progressColumns, toProgress } from './job-row.js';
import { PENDING_TABLE, type JobProgress } from './sync-job.js';
import { historyAfter, isHistoryBehind } from './events/attempt-history.js';
import { databaseNow } from '../../platform/persistence/database-values.js';
import { SyncJobEntity } from './sync-job.entity.js';
import { TargetCleanupEntity } from './cleanup/target-cleanup.entity.js';
import { isEnded, type WorkState } from '../../agents/agent-work/leases/work-state.js';
import { syncJobWebhookEvents } from './events/sync-job-webhook-events.js';
import { readJobTables } from './tables/job-table.js';
import { tableUpdates, UPDATE_TABLES } from './tables/update-tables.sql.js';
import { toCommand } from './to-command.js';

export interface LockedJob {
  readonly row: SyncJobEntity;
  readonly tableNames: readonly string[];
  readonly progress: JobProgress;
}

/** Stores sync jobs. Every change of a job uses this class, under a row lock. */
@Injectable()
export class SyncJobStore extends LeasedWork {
  readonly table = 'sync_jobs';
  readonly prefix = 'job_';

  constructor(
    dataSource: DataSource,
    private readonly webhooks: WebhookEventsService,
    private readonly link: AgentLinkService,
    works: LeasedWorks,
  ) {
    super(dataSource, works, [webhooks]);
  }

  /** @param organizationId as in `lockRow` */
  async lock(manager: EntityManager, id: string, organizationId?: string): Promise<LockedJob | undefined> {
    const row = await this.lockRow(manager, SyncJobEntity, id, organizationId);
    if (!row) return undefined;
    const tables = await readJobTables(manager, id);
    return { row, tableNames: tables.map(({ name }) => name), progress: toProgress(row, tables) };
  }

  async lockWork(manager: EntityManager, id: string): Promise<LockedWork | undefined> {
    const locked = await this.lock(manager, id);
    if (!locked) return undefined;
    const { row, progress } = locked;
    return this.lockedWork(
      row,
      () => failureError({ code: 'lease_lost' }, namesOf({ tables: [] })), // it names no table
      (within, state, requirements) => this.write(within, locked, withState(progress, state), requirements),
    );
  }

  async send(id: string, agentId: string): Promise<void> {
    const job = await this.dataSource.manager.findOneBy(SyncJobEntity, { id, agentId });
    if (job) await this.link.send(agentId, { pattern: 'run_sync_job', data: toCommand(job, agentId) });
  }

  /** Writes a change in the caller's transaction, together with its webhook events. */
  async write(
    manager: EntityManager,
    { row, progress }: LockedJob,
    next: JobProgress,
    requirement: ReturnType<typeof requirementColumns> = {},
  ): Promise<void> {
    if (next === progress) return;
    const ended = isEnded(next.state.status) && !isEnded(progress.state.status);
    const changed = changedTables(progress.tables, next.tables);
    await manager.update(
      SyncJobEntity,
      { id: row.id },
      {
        ...progressColumns(await this.withHistory(manager, progress, next)),
        ...requirement,
        ...(ended ? erasedDatabases(row) : {}),
        revision: row.revision + changed.length,
      },
    );
    if (ended && mayHaveStaged(row, next)) {
      const { id: jobId, organizationId, target, requires } = row;
      const epoch = next.state.epoch + 1;
      await manager.insert(TargetCleanupEntity, {
        jobId,
        organizationId,
        epoch,
        target,
        // An agent that ignores the options of the job can clean up after it.
        requires: { ...requires, capabilities: undefined } as object,
        requestedAt: () => 'now()',
      });
    }
    if (changed.length > 0) await manager.query(UPDATE_TABLES, tableUpdates(row, changed, next.tables));
    for (const event of syncJobWebhookEvents(row, progress.state, next))
      await this.webhooks.record(manager, event);
  }

  /** Adds an attempt that this change starts or ends, unless an event of its agent has added it. */
  private async withHistory(
    manager: EntityManager,
    { state: before }: JobProgress,
    next: JobProgress,
  ): Promise<JobProgress> {
    const { attemptHistory: history, state: after } = next;
    if (!isHistoryBehind(history, after)) return next;
    const at = await databaseNow(manager);
    return { ...next, attemptHistory: historyAfter(history, { before, after, at }) };
  }
}

/**
 * Returns whether the job has failed and may have left tables on its target. A job that completed needs no
 * cleanup task, because its agent cleans up after the control plane has acknowledged the agent's report.
 */
function mayHaveStaged({ definition }: SyncJobEntity, { state }: JobProgress): boolean {
  return state.status === 'failed' && state.epoch > 0 && definition.dryRun !== true;
}

/**
 * Returns the progress with a new state. A new lease starts a new attempt, so the throughput and the table
 * progress of the previous attempt are reset.
 */
function withState(progress: JobProgress, state: WorkState): JobProgress {
  if (state.epoch === progress.state.epoch) return { ...progress, state };
  const tables = state.epoch > 1 ? progress.tables.map(() => PENDING_TABLE) : progress.tables;
  return { ...progress, state, throughput: null, tables };
}
