import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { auditRequest } from '../../audit-log/insert-audit-entry.js';
import { noSuch } from '../../http/errors/api-error.js';
import type { CallerRequest } from '../../http/pipeline/caller-request.js';
import { databaseNow } from '../../persistence/database-values.js';
import type { RemovedSyncJob } from './sync-job-response.js';
import { advance, isEnded } from '../../agent-work/leases/work-state.js';
import { SyncJobEntity } from '../sync-job.entity.js';
import { SyncJobStore, type LockedJob } from '../sync-job-store.js';

/** Ends jobs that callers do not want any more: those under way are cancelled, those that ended are deleted. */
@Injectable()
export class SyncJobRemovalService {
  constructor(private readonly store: SyncJobStore) {}

  /**
   * Ends a job that no agent holds. For a job that an agent holds it records a cancel request: every heartbeat reply repeats it
   * until the agent reports the end, and without heartbeats the lease runs out.
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

  /** The job's tables go with it; what its agent may still report of it finds nothing. */
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

  /** Asking again changes nothing. */
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
