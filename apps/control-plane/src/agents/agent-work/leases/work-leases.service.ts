import { Injectable, Logger, Controller } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { AgentHeartbeat, Lease, LeaseUpdates } from '@understudy/agent-protocol';

import { runEach } from '../../../platform/job-queue/run-each.js';
import { AgentsService } from '../../registry/agents.service.js';
import { Configuration } from '../../../platform/config/configuration.js';
import { databaseNow } from '../../../platform/persistence/database-values.js';
import { expiredLeases } from './expired-leases.sql.js';
import { LeasedWorks, type LeasedWork, type LockedWork } from './leased-work.js';
import { renewLeases } from './renew-leases.sql.js';
import { waitingWorkForAgent } from './waiting-work.sql.js';
import { WorkOffers } from './work-offers.js';
import { advance, contactLost, isWaiting, type Trigger } from './work-state.js';
import { senderOf } from '../../agent-link/receiving/message-context.js';

/** Renews the leases of agents, and reclaims work whose lease has expired or whose agent is revoked. */
@Injectable()
export class WorkLeasesService {
  private readonly logger = new Logger(WorkLeasesService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly works: LeasedWorks,
    private readonly agents: AgentsService,
    private readonly offers: WorkOffers,
    private readonly configuration: Configuration,
  ) {}

  /**
   * Renews the leases that the agent still holds. Queues waiting work for dispatch if the agent has free
   * slots.
   * @returns the leases that the agent has lost, and those whose work it must cancel. A revoked agent gets no
   *   work and renews nothing.
   */
  async heartbeat(agentId: string, beat: AgentHeartbeat): Promise<LeaseUpdates> {
    const { leases, freeSlots } = beat;
    const isEnrolled = await this.agents.recordHeartbeat(agentId, beat);
    if (!isEnrolled) return { lostLeases: leases, cancelledLeases: [], revoked: true };
    const held = (await Promise.all(this.works.all().map((work) => this.renew(work, agentId, beat)))).flat();
    if (freeSlots > 0) await this.offerWork(agentId, freeSlots);
    return {
      lostLeases: leases.filter(
        ({ jobId, epoch }) => !held.some((lease) => lease.jobId === jobId && lease.epoch === epoch),
      ),
      cancelledLeases: held.filter(({ cancelled }) => cancelled),
      revoked: false,
    };
  }

  /**
   * Reclaims work whose lease has expired, or whose agent is revoked or has restarted without it.
   * @returns ids of the work that waits for another agent now
   * @throws the first error, after all kinds of work were tried
   */
  async reclaimExpired(): Promise<string[]> {
    const waiting: string[] = [];
    await runEach(this.works.all(), async (work) => void waiting.push(...(await this.reclaim(work))));
    return waiting;
  }

  private reclaim(work: LeasedWork): Promise<string[]> {
    return work.transaction(async (manager) => {
      const expired = await manager.query<ExpiredLease[]>(expiredLeases(work.table), [
        this.configuration.syncJobs.leaseMs,
      ]);
      const waiting: string[] = [];
      for (const lease of expired) {
        const { id } = lease;
        // Each row has its own savepoint, so that one failing row does not roll back the others.
        const taken = manager.transaction((nested) => this.reclaimOne(work, lease, nested));
        const waits = await taken.catch((error: unknown) => {
          this.logger.error({ job_id: id, msg: `could not reclaim an expired lease: ${nameOf(error)}` });
          return false;
        });
        if (waits) waiting.push(id);
      }
      return waiting;
    });
  }

  /** Ends the lease of one row. @returns whether the work waits for another agent now */
  private async reclaimOne(
    work: LeasedWork,
    { id, ...reason }: ExpiredLease,
    manager: EntityManager,
  ): Promise<boolean> {
    const locked = await work.lockWork(manager, id);
    if (!locked) return false;
    const trigger = this.endOfLease(locked, reason);
    const state = advance(locked.state, trigger, { now: await databaseNow(manager) });
    await locked.write(manager, state);
    return isWaiting(state);
  }

  /** Returns the trigger that ends the lease. Only a restart of the agent counts as an attempt. */
  private endOfLease(
    { state, exhausted }: LockedWork,
    { isRevoked, isRestarted }: Omit<ExpiredLease, 'id'>,
  ): Trigger {
    const { maxAttempts, maxLostLeases } = this.configuration.syncJobs;
    if (isRevoked) return { type: 'lease_returned' };
    if (!isRestarted) return contactLost(state, { maxLostLeases, error: exhausted() });
    if (state.attempts < maxAttempts) return { type: 'attempt_lost' };
    return { type: 'attempts_exhausted', error: exhausted() };
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
    { leases, offer }: AgentHeartbeat,
  ): Promise<RenewedLease[]> {
    const named = leases.filter(({ jobId }) => jobId.startsWith(prefix));
    if (named.length === 0) return [];
    // TypeORM returns [rows, count] for UPDATE … RETURNING.
    const [held] = await this.dataSource.query<[RenewedLease[], number]>(renewLeases(table), [
      agentId,
      named.map(({ jobId }) => jobId),
      named.map(({ epoch }) => epoch),
      this.configuration.syncJobs.leaseMs,
      named.map(({ snapshotAgeSeconds }) => snapshotAgeSeconds ?? null),
      offer ?? {},
    ]);
    return held;
  }
}

interface ExpiredLease {
  readonly id: string;
  readonly isRevoked: boolean;
  /** Whether a newer process of the agent has started since the lease was renewed. */
  readonly isRestarted: boolean;
}

interface RenewedLease extends Lease {
  readonly cancelled: boolean;
}

function nameOf(error: unknown): string {
  return error instanceof Error
    ? `${error.name} ${String(Reflect.get(error, 'code') ?? '')}`.trim()
    : 'unknown';
}

@Controller()
export class HeartbeatController {
  constructor(private readonly leases: WorkLeasesService) {}

  @MessagePattern('heartbeat')
  onHeartbeat(@Payload() beat: AgentHeartbeat, @Ctx() context: unknown): Promise<LeaseUpdates> {
    return this.leases.heartbeat(senderOf(context), beat);
  }
}
