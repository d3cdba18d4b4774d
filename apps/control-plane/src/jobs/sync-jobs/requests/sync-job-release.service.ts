import { Injectable } from '@nestjs/common';

import { WorkOffers } from '../../../agents/agent-work/leases/work-offers.js';
import { advance, isWaiting } from '../../../agents/agent-work/leases/work-state.js';
import { auditRequest } from '../../../platform/audit-log/insert-audit-entry.js';
import { ApiError, noSuch } from '../../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../../platform/http/pipeline/caller-request.js';
import { databaseNow } from '../../../platform/persistence/database-values.js';
import { SyncJobStore } from '../sync-job-store.js';
import type { SyncJobResponse } from './sync-job-response.js';
import { SyncJobsService } from './sync-jobs.service.js';

/** Takes jobs away from agents on request of callers. */
@Injectable()
export class SyncJobReleaseService {
  constructor(
    private readonly store: SyncJobStore,
    private readonly offers: WorkOffers,
    private readonly jobs: SyncJobsService,
  ) {}

  /**
   * Ends the lease of a job before its time, so that another agent can get the job. The attempt does not count. The
   * first statement of the next attempt on the target fences the old agent. Until then, a result of the old agent
   * counts. A job with a cancel request ends.
   * @throws ApiError `not_found`, or `conflict` if no agent holds the job
   */
  async release(request: CallerRequest, id: string, now = new Date()): Promise<SyncJobResponse> {
    const { organizationId } = request.caller;
    const waits = await this.store.transaction(async (manager) => {
      const locked = await this.store.lock(manager, id, organizationId);
      if (!locked) throw noSuch('sync job');
      const { row, progress } = locked;
      if (progress.state.leaseExpiresAt === null) throw new ApiError('conflict', NOT_HELD);
      const state = advance(progress.state, { type: 'lease_returned' }, { now: await databaseNow(manager) });
      await this.store.write(manager, locked, { ...progress, state });
      const details = { name: row.name, agent_id: row.agentId };
      await auditRequest(manager, request, { now, action: 'sync_job.released', targetId: id, details });
      return isWaiting(state);
    });
    if (waits) await this.offers.offer([id]);
    return this.jobs.get(organizationId, id);
  }
}

const NOT_HELD = 'No agent holds the job, because it waits for an agent or has ended. Nothing was released.';
