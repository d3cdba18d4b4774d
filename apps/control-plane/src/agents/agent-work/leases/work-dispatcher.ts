import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { AgentLinkService } from '../../agent-link/connection/agent-link.service.js';
import { runEach } from '../../../platform/job-queue/run-each.js';
import { AgentsService, type EnrolledAgent } from '../../registry/agents.service.js';
import { Configuration } from '../../../platform/config/configuration.js';
import { JobQueue } from '../../../platform/job-queue/job-queue.js';
import { databaseNow } from '../../../platform/persistence/database-values.js';
import { ambiguityOf } from '../choice/ambiguity.js';
import { bound, mismatchOf, unbound } from '../choice/agent-requirement.js';
import { agentSlotsSince } from '../choice/agent-slots.sql.js';
import { chooseAgent, type SlotsSince } from '../choice/choose-agent.js';
import { LeasedWorks, type LeasedWork, type LockedWork } from './leased-work.js';
import { noMatchingAgent } from '../choice/waiting-warnings.js';
import { recordUnmatched } from './record-unmatched.sql.js';
import { unconfirmedCommands } from './unconfirmed-commands.sql.js';
import { DISPATCH_TOPIC } from './work-offers.js';
import { advance, isWaiting, type JobError } from './work-state.js';

interface GivenLease {
  readonly agentId: string;
  readonly epoch: number;
}

/** Assigns waiting work to agents: commits the lease in PostgreSQL first, and then sends the command. */
@Injectable()
export class WorkDispatcher implements OnModuleInit {
  private readonly logger = new Logger(WorkDispatcher.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
    private readonly works: LeasedWorks,
    private readonly agents: AgentsService,
    private readonly link: AgentLinkService,
    private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    this.queue.handle(DISPATCH_TOPIC, (id) => this.dispatch(id));
  }

  /** Assigns the work to an agent if the work still waits and an agent has a free slot. */
  async dispatch(id: string): Promise<void> {
    const work = this.works.ofId(id);
    if (!work || !this.link.isReady()) return;
    const lease = await this.lease(work, id);
    if (!lease) return;
    const { agentId, epoch } = lease;
    try {
      await work.send(id, agentId);
      this.logger.log({ job_id: id, agent_id: agentId, epoch, msg: 'assigned to an agent' });
    } catch (error) {
      // NATS may or may not have stored the command. If the command reaches the agent after the lease is released,
      // the reply to the agent's first heartbeat lists the lease as lost.
      await this.release(work, id, epoch);
      this.logger.warn(
        `could not send ${id} to an agent: ${error instanceof Error ? error.name : 'unknown'}`,
      );
    }
  }

  /**
   * Resends each command whose agent has not reported any event for it. The stream and the agent drop
   * duplicates.
   * @throws the first error, after all commands were tried
   */
  async resendUnconfirmed(): Promise<void> {
    if (!this.link.isReady()) return;
    await runEach(this.works.all(), async (work) => {
      const unconfirmed = await this.dataSource.query<{ id: string; agentId: string }[]>(
        unconfirmedCommands(work.table),
        [this.configuration.syncJobs.resendMs],
      );
      await runEach(unconfirmed, ({ id, agentId }) => work.send(id, agentId));
    });
  }

  private lease(work: LeasedWork, id: string): Promise<GivenLease | undefined> {
    const { leaseMs, graceSeconds: longest } = this.configuration.syncJobs;
    return work.transaction(async (manager) => {
      const locked = await work.lockWork(manager, id);
      if (!locked || !isWaiting(locked.state)) return undefined;
      const { organizationId } = locked;
      // The lock keeps other dispatchers from leasing work of this organisation between the count of free
      // slots and the lease.
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('dispatch ' || $1, 0))`, [
        organizationId,
      ]);
      const live = await this.agents.liveAgents(organizationId);
      const since = await this.slotsSince(manager, live);
      const mismatches = live.map((candidate) => mismatchOf(candidate, locked.eligibility));
      const ambiguity = ambiguityOf(locked.eligibility.requires, live);
      const able = live.filter((_, index) => mismatches[index] === undefined && ambiguity === undefined);
      const agent = chooseAgent(able, (agentId) => since.get(agentId) ?? NOTHING_SINCE);
      if (!agent) {
        const blocker = able.length > 0 ? undefined : noMatchingAgent(mismatches, ambiguity);
        await this.waitForMatch(manager, work, id, locked, blocker);
        return undefined;
      }
      const requires = bound(locked.eligibility.requires, agent);
      const { sealedTo } = locked.eligibility;
      const hasNoSubstitute = !live.some(
        (other) => other.id !== agent.id && mismatchOf(other, { requires, sealedTo }) === undefined,
      );
      const graceSeconds = hasNoSubstitute ? longest : 0;
      const trigger = { type: 'lease_taken', agentId: agent.id, leaseMs, graceSeconds } as const;
      const state = advance(locked.state, trigger, { now: await databaseNow(manager) });
      await locked.write(manager, state, requires);
      return { agentId: agent.id, epoch: state.epoch };
    });
  }

  /**
   * Handles waiting work that no connected agent may run, because of masking keys, servers or policies. Such work
   * fails after the duration of one lease. While no agent is connected at all, the work waits without limit.
   */
  private async waitForMatch(
    manager: EntityManager,
    work: LeasedWork,
    id: string,
    locked: LockedWork,
    blocker: JobError | undefined,
  ): Promise<void> {
    const { unmatchedSince } = locked.eligibility;
    const now = await databaseNow(manager);
    if (blocker === undefined || unmatchedSince === null) {
      if ((blocker === undefined) !== (unmatchedSince === null))
        await manager.query(recordUnmatched(work.table), [id, blocker === undefined ? null : now]);
      return;
    }
    if (now.getTime() - unmatchedSince.getTime() < this.configuration.syncJobs.leaseMs) return;
    await locked.write(
      manager,
      advance(locked.state, { type: 'attempts_exhausted', error: blocker }, { now }),
    );
    this.logger.warn(
      `${id} failed: the masking keys, servers or policies of the connected agents do not match`,
    );
  }

  private async release(work: LeasedWork, id: string, epoch: number): Promise<void> {
    await work.transaction(async (manager) => {
      const locked = await work.lockWork(manager, id);
      if (!locked || locked.state.epoch !== epoch || locked.state.leaseExpiresAt === null) return;
      const returned = advance(locked.state, { type: 'lease_returned' }, { now: await databaseNow(manager) });
      const { requires } = locked.eligibility;
      const { status, attempts, lostLeases } = returned;
      const isUntouched = status === 'pending' && attempts === 0 && lostLeases === 0;
      await locked.write(manager, returned, isUntouched ? unbound(requires) : requires);
    });
  }

  private async slotsSince(
    manager: EntityManager,
    live: readonly EnrolledAgent[],
  ): Promise<ReadonlyMap<string, SlotsSince>> {
    const query = agentSlotsSince(this.works.all().map(({ table }) => table));
    const rows = await manager.query<({ id: string } & SlotsSince)[]>(query, [
      live.map(({ id }) => id),
      live.map(({ lastSeenAt }) => lastSeenAt),
    ]);
    return new Map(rows.map(({ id, ...since }) => [id, since]));
  }
}

const NOTHING_SINCE: SlotsSince = { taken: 0, freed: 0, held: 0 };
