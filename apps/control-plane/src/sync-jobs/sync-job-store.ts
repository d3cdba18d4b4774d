import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In, type EntityManager } from 'typeorm';

import { WebhookEventsService } from '../webhooks/webhook-events.service.js';
import { changedTables, erasedDatabases, progressColumns, toProgress } from './job-row.js';
import type { JobProgress } from './sync-job.js';
import { SyncJobEntity } from './sync-job.entity.js';
import { SyncJobTableEntity } from './sync-job-table.entity.js';
import { TargetClearanceEntity } from './target-clearance.entity.js';
import { isEnded } from './sync-job-state.js';
import { syncJobNews } from './sync-job-news.js';
import { UNHEARD_COMMANDS } from './unheard-commands.sql.js';

export interface LockedJob {
  readonly row: SyncJobEntity;
  readonly progress: JobProgress;
}

/** Jobs under their row lock: everything that changes a job goes through here, one at a time. */
@Injectable()
export class SyncJobStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly webhooks: WebhookEventsService,
  ) {}

  async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.dataSource.transaction(work);
    this.webhooks.wake();
    return result;
  }

  /** @param organizationId given where a caller names the job: another organisation's does not exist */
  async lock(manager: EntityManager, id: string, organizationId?: string): Promise<LockedJob | undefined> {
    const where = organizationId === undefined ? { id } : { id, organizationId };
    const row = await manager.findOne(SyncJobEntity, { where, lock: { mode: 'pessimistic_write' } });
    if (!row) return undefined;
    const tables = await manager.find(SyncJobTableEntity, {
      where: { jobId: id },
      order: { position: 'ASC' },
    });
    return { row, progress: toProgress(row, tables) };
  }

  /** Jobs that were given to an agent more than `ms` ago, which has said nothing of them. */
  async unheard(ms: number): Promise<SyncJobEntity[]> {
    const found = await this.dataSource.query<{ id: string }[]>(UNHEARD_COMMANDS, [ms]);
    return this.dataSource.manager.findBy(SyncJobEntity, { id: In(found.map(({ id }) => id)) });
  }

  /** What webhooks are to hear of it is written with it. */
  async write(manager: EntityManager, { row, progress }: LockedJob, next: JobProgress): Promise<void> {
    if (next === progress) return;
    const ended = isEnded(next.state.status) && !isEnded(progress.state.status);
    await manager.update(
      SyncJobEntity,
      { id: row.id },
      { ...progressColumns(next), ...(ended ? erasedDatabases(row) : {}) },
    );
    if (ended && mayHaveStaged(row, next)) {
      const { id: jobId, organizationId, target } = row;
      const epoch = next.state.epoch + 1;
      await manager.insert(TargetClearanceEntity, {
        jobId,
        organizationId,
        epoch,
        target,
        requestedAt: new Date(),
      });
    }
    for (const position of changedTables(progress.tables, next.tables)) {
      await manager.update(SyncJobTableEntity, { jobId: row.id, position }, next.tables[position] ?? {});
    }
    for (const event of syncJobNews(row, progress.state, next)) await this.webhooks.record(manager, event);
  }
}

/** Of a job that completed, its agent removes the rest when it has been told that its report arrived. */
function mayHaveStaged({ definition }: SyncJobEntity, { state }: JobProgress): boolean {
  return state.status === 'failed' && state.epoch > 0 && definition.dryRun !== true;
}
