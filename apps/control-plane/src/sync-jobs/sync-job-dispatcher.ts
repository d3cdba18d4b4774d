import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { AgentLinkService } from '../agent-link/agent-link.service.js';
import { AgentsService, type EnrolledAgent } from '../agents/agents.service.js';
import { Configuration } from '../config/configuration.js';
import { JobQueue } from '../job-queue/job-queue.js';
import { AGENT_SLOTS_SINCE } from './agent-slots.sql.js';
import { chooseAgent, type SlotsSince } from './choose-agent.js';
import { DISPATCH_TOPIC } from './dispatch-queue.js';
import { PENDING_TABLE } from './sync-job.js';
import { SyncJobEntity } from './sync-job.entity.js';
import { SyncJobStore } from './sync-job-store.js';
import { advance, isWaiting } from './sync-job-state.js';
import { toCommand } from './to-command.js';

/** Gives waiting jobs to agents: the lease in Postgres first, the command after it. */
@Injectable()
export class SyncJobDispatcher implements OnModuleInit {
  private readonly logger = new Logger(SyncJobDispatcher.name);

  constructor(
    private readonly queue: JobQueue,
    private readonly store: SyncJobStore,
    private readonly agents: AgentsService,
    private readonly link: AgentLinkService,
    private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    this.queue.handle(DISPATCH_TOPIC, (jobId) => this.dispatch(jobId));
  }

  /** Gives the job away if it still waits and an agent has room; otherwise it goes on waiting. */
  async dispatch(jobId: string): Promise<void> {
    if (!this.link.isConnected()) return;
    const leased = await this.lease(jobId);
    if (!leased?.agentId) return;
    try {
      await this.link.sendSyncJob(leased.agentId, toCommand(leased, leased.agentId));
      this.logger.log({
        job_id: jobId,
        agent_id: leased.agentId,
        epoch: leased.epoch,
        msg: 'given to an agent',
      });
    } catch (error) {
      // Whether the command was stored is not known. The lease is given back; should the command arrive all the same,
      // the agent's first heartbeat tells it that the lease is lost.
      await this.giveBack(leased);
      this.logger.warn(`${jobId} was not sent: ${error instanceof Error ? error.name : 'unknown'}`);
    }
  }

  /** Sends the commands again that nobody has said anything of. To the stream and to the agent the same command twice is one. */
  async sendUnheard(): Promise<void> {
    if (!this.link.isConnected()) return;
    for (const job of await this.store.unheard(this.configuration.syncJobs.resendMs))
      if (job.agentId) await this.link.sendSyncJob(job.agentId, toCommand(job, job.agentId));
  }

  private lease(jobId: string): Promise<SyncJobEntity | undefined> {
    const { leaseMs } = this.configuration.syncJobs;
    return this.store.transaction(async (manager) => {
      const locked = await this.store.lock(manager, jobId);
      if (!locked || !isWaiting(locked.progress.state)) return undefined;
      const { row, progress } = locked;
      // Slots are counted, then one is taken: no other dispatcher of this organisation in between.
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('dispatch ' || $1, 0))`, [
        row.organizationId,
      ]);
      const live = await this.agents.liveAgents(row.organizationId);
      const since = await slotsSince(manager, live);
      const agent = chooseAgent(
        live,
        [row.source, row.target],
        (id) => since.get(id) ?? { taken: 0, freed: 0 },
      );
      if (!agent) return undefined;
      const state = advance(
        progress.state,
        { type: 'lease_taken', agentId: agent.id, leaseMs },
        { now: new Date() },
      );
      // A new attempt starts over.
      const tables = progress.tables.map(() => PENDING_TABLE);
      await this.store.write(manager, locked, {
        ...progress,
        state,
        pace: null,
        tables: state.epoch > 1 ? tables : progress.tables,
      });
      return Object.assign(row, { epoch: state.epoch, agentId: agent.id });
    });
  }

  private async giveBack({ id, epoch }: SyncJobEntity): Promise<void> {
    await this.store.transaction(async (manager) => {
      const locked = await this.store.lock(manager, id);
      if (!locked || locked.row.epoch !== epoch || locked.row.leaseExpiresAt === null) return;
      // An attempt that never reached an agent does not count.
      const released = advance(locked.progress.state, { type: 'attempt_lost' }, { now: new Date() });
      const state = { ...released, attempts: Math.max(0, released.attempts - 1) };
      await this.store.write(manager, locked, { ...locked.progress, state });
    });
  }
}

async function slotsSince(
  manager: EntityManager,
  live: readonly EnrolledAgent[],
): Promise<ReadonlyMap<string, SlotsSince>> {
  const rows = await manager.query<({ id: string } & SlotsSince)[]>(AGENT_SLOTS_SINCE, [
    live.map(({ id }) => id),
    live.map(({ lastSeenAt }) => lastSeenAt),
  ]);
  return new Map(rows.map(({ id, taken, freed }) => [id, { taken, freed }]));
}
