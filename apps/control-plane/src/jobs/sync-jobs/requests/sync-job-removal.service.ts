import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { auditRequest } from '../../../platform/audit-log/insert-audit-entry.js';
import { noSuch } from '../../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../../platform/http/pipeline/caller-request.js';
import { databaseNow } from '../../../platform/persistence/database-values.js';
import type { RemovedSyncJob } from './sync-job-response.js';
import { advance, isEnded } from '../../../agents/agent-work/leases/work-state.js';
import { SyncJobEntity } from '../sync-job.entity.js';
import { SyncJobStore, type LockedJob } from '../sync-job-store.js';

/** Cancels running jobs and deletes ended jobs on request of callers. */
@Injectable()
export class SyncJobRemovalService {
  constructor(private readonly store: SyncJobStore) {}

  /**
   * Deletes a job that has ended, and cancels any other job. A waiting job ends immediately. For a job with a
   * lease, the method records a cancel request. Every heartbeat reply repeats the request until the agent
   * reports the end of the job. If the agent sends no more heartbeats, the job ends when its lease expires.
   * @throws ApiError `not_found`
   */
  remove(request: CallerRequest, id: string, now = new Date()): Promise<RemovedSyncJob> {
    return this.store.transaction(async (manager) => {
      const locked = await this.store.lock(manager, id, request.caller.organizationId);
      if (!locked) throw noSuch('sync job');
      return isEnded(locked.row.status)
        ? await this.delete(manager, request, locked, now)
        : await this.cancel(manager, request, locked, now);
    });
  }

  /** Deletes a job and its tables. Later reports of its agent are ignored as stale. */
  private async delete(
    manager: EntityManager,
    request: CallerRequest,
    { row: { id, name } }: LockedJob,
    now: Date,
  ): Promise<RemovedSyncJob> {
    await manager.delete(SyncJobEntity, { id });
    const details = { name };
    await auditRequest(manager, request, { now, action: 'sync_job.deleted', targetId: id, details });
    return { id, deleted: true, cancelled: false };
  }

  /** Cancels a job. A repeated call has no effect. */
  private async cancel(
    manager: EntityManager,
    request: CallerRequest,
    locked: LockedJob,
    now: Date,
  ): Promise<RemovedSyncJob> {
    const { row, progress } = locked;
    const state = advance(progress.state, { type: 'cancel_requested' }, { now: await databaseNow(manager) });
    if (progress.state.cancelRequestedAt === null) {
      await this.store.write(manager, locked, { ...progress, state });
      const details = { name: row.name };
      await auditRequest(manager, request, { now, action: 'sync_job.cancelled', targetId: row.id, details });
    }
    return { id: row.id, status: state.status, cancelled: true, deleted: false };
  }
}
