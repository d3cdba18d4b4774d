import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import type { AgentHeartbeat, LeaseNews, LeaseRef } from '../agent-link/sync-job-event.js';
import { AgentsService } from '../agents/agents.service.js';
import { Configuration } from '../config/configuration.js';
import { DispatchQueue } from './dispatch-queue.js';
import { EXPIRED_LEASES } from './expired-leases.sql.js';
import { failureError } from './failure-error.js';
import { namesOf } from './failure-message.js';
import { RENEW_LEASES } from './renew-leases.sql.js';
import { SyncJobStore } from './sync-job-store.js';
import { advance, isWaiting, type Trigger } from './sync-job-state.js';
import { WAITING_JOBS_FOR_AGENT } from './waiting-jobs.sql.js';

/** Who works on which job, and until when. */
@Injectable()
export class SyncJobLeasesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: SyncJobStore,
    private readonly agents: AgentsService,
    private readonly queue: DispatchQueue,
    private readonly configuration: Configuration,
  ) {}

  /** Renews what the agent still holds, tells what it has lost or is to cancel, and offers it work if it has room. */
  async heartbeat(agentId: string, { version, leases, freeSlots }: AgentHeartbeat): Promise<LeaseNews> {
    await this.agents.recordHeartbeat(agentId, version, freeSlots);
    const held = leases.length === 0 ? [] : await this.renew(agentId, leases);
    if (freeSlots > 0) {
      const waiting = await this.dataSource.query<{ id: string }[]>(WAITING_JOBS_FOR_AGENT, [
        agentId,
        freeSlots,
      ]);
      await this.queue.offer(waiting.map(({ id }) => id));
    }
    return {
      lostLeases: leases.filter(
        ({ jobId, epoch }) => !held.some((lease) => lease.jobId === jobId && lease.epoch === epoch),
      ),
      cancelledLeases: held.filter(({ cancelled }) => cancelled),
    };
  }

  /** Takes jobs from agents that did not renew their lease. @returns ids of those that wait for another agent now */
  takeBackExpired(): Promise<string[]> {
    return this.store.transaction(async (manager) => {
      const expired = await manager.query<{ id: string }[]>(EXPIRED_LEASES);
      const waiting: string[] = [];
      for (const { id } of expired) {
        const locked = await this.store.lock(manager, id);
        if (!locked) continue;
        const { row, progress } = locked;
        const trigger: Trigger =
          row.attempts < this.configuration.syncJobs.maxAttempts
            ? { type: 'attempt_lost' }
            : {
                type: 'attempts_exhausted',
                error: failureError({ code: 'lease_lost' }, namesOf(row.definition)),
              };
        const state = advance(progress.state, trigger, { now: new Date() });
        await this.store.write(manager, locked, { ...progress, state });
        if (isWaiting(state)) waiting.push(id);
      }
      return waiting;
    });
  }

  private async renew(agentId: string, leases: readonly LeaseRef[]): Promise<RenewedLease[]> {
    // TypeORM answers an UPDATE … RETURNING with [rows, count].
    const [held] = await this.dataSource.query<[RenewedLease[], number]>(RENEW_LEASES, [
      agentId,
      leases.map(({ jobId }) => jobId),
      leases.map(({ epoch }) => epoch),
      this.configuration.syncJobs.leaseMs,
    ]);
    return held;
  }
}

interface RenewedLease extends LeaseRef {
  readonly cancelled: boolean;
}
