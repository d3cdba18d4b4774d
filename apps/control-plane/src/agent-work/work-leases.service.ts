import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import type { AgentHeartbeat, LeaseNews, LeaseRef } from '../agent-link/agent-heartbeat.js';
import { AgentsService } from '../agents/agents.service.js';
import { Configuration } from '../config/configuration.js';
import { databaseNow } from '../persistence/database-now.js';
import { expiredLeases } from './expired-leases.sql.js';
import { LeasedWorks, type LeasedWork } from './leased-work.js';
import { renewLeases } from './renew-leases.sql.js';
import { waitingWorkForAgent } from './waiting-work.sql.js';
import { WorkOffers } from './work-offers.js';
import { advance, isWaiting, type Trigger } from './work-state.js';

/** Who works on what, and until when. */
@Injectable()
export class WorkLeasesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly works: LeasedWorks,
    private readonly agents: AgentsService,
    private readonly offers: WorkOffers,
    private readonly configuration: Configuration,
  ) {}

  /** Renews what the agent still holds, tells what it has lost or is to cancel, and offers it work if it has room. */
  async heartbeat(agentId: string, beat: AgentHeartbeat): Promise<LeaseNews> {
    const { leases, freeSlots } = beat;
    await this.agents.recordHeartbeat(agentId, beat);
    const held = (
      await Promise.all(this.works.all().map((work) => this.renew(work, agentId, leases)))
    ).flat();
    if (freeSlots > 0) await this.offerWork(agentId, freeSlots);
    return {
      lostLeases: leases.filter(
        ({ jobId, epoch }) => !held.some((lease) => lease.jobId === jobId && lease.epoch === epoch),
      ),
      cancelledLeases: held.filter(({ cancelled }) => cancelled),
    };
  }

  /** Takes work from agents that did not renew their lease. @returns ids of what waits for another agent now */
  async takeBackExpired(): Promise<string[]> {
    const waiting = [];
    for (const work of this.works.all()) waiting.push(...(await this.takeBack(work)));
    return waiting;
  }

  private takeBack(work: LeasedWork): Promise<string[]> {
    return work.transaction(async (manager) => {
      const expired = await manager.query<{ id: string }[]>(expiredLeases(work.table));
      const waiting: string[] = [];
      for (const { id } of expired) {
        const locked = await work.lockWork(manager, id);
        if (!locked) continue;
        const trigger: Trigger =
          locked.state.attempts < this.configuration.syncJobs.maxAttempts
            ? { type: 'attempt_lost' }
            : { type: 'attempts_exhausted', error: locked.exhausted() };
        const state = advance(locked.state, trigger, { now: await databaseNow(manager) });
        await locked.write(manager, state);
        if (isWaiting(state)) waiting.push(id);
      }
      return waiting;
    });
  }

  private async offerWork(agentId: string, freeSlots: number): Promise<void> {
    for (const { table } of this.works.all()) {
      const query = waitingWorkForAgent(table);
      const waiting = await this.dataSource.query<{ id: string }[]>(query, [agentId, freeSlots]);
      await this.offers.offer(waiting.map(({ id }) => id));
    }
  }

  private async renew(
    { table, prefix }: LeasedWork,
    agentId: string,
    leases: readonly LeaseRef[],
  ): Promise<RenewedLease[]> {
    const named = leases.filter(({ jobId }) => jobId.startsWith(prefix));
    if (named.length === 0) return [];
    // TypeORM answers an UPDATE … RETURNING with [rows, count].
    const [held] = await this.dataSource.query<[RenewedLease[], number]>(renewLeases(table), [
      agentId,
      named.map(({ jobId }) => jobId),
      named.map(({ epoch }) => epoch),
      this.configuration.syncJobs.leaseMs,
    ]);
    return held;
  }
}

interface RenewedLease extends LeaseRef {
  readonly cancelled: boolean;
}
