import { setTimeout as sleep } from 'node:timers/promises';

import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { eventSubject } from '@understudy/jetstream-transport';
import { SyncJobError, SyncJobRunner } from '@understudy/sync-engine';

import { AGENT_IDENTITY, type AgentIdentity } from '../identity/agent-identity.js';
import type { ReceivedSyncJob } from './decode-command.js';
import { EventDelivery } from './event-delivery.js';
import { HeartbeatService } from './heartbeat.service.js';
import { JobSlots } from './job-slots.js';
import { EgressJournal } from './journal/egress-journal.js';
import { JournaledJobReporter } from './journaled-job-reporter.js';
import { Leases, type HeldLease } from './leases.js';
import { openSecrets } from './open-secrets.js';

/** No slot is free: the command stays with JetStream and comes again. */
export class AgentBusyError extends Error {
  readonly code = 'agent.busy';

  constructor() {
    super('all job slots are taken');
    this.name = 'AgentBusyError';
  }
}

/**
 * Accepts commands and runs them behind the acknowledgement: a command counts as taken when `started` is in the journal,
 * and from then on the journal answers for the job, through crashes too.
 */
@Injectable()
export class JobsInBackground implements BeforeApplicationShutdown {
  private readonly logger = new Logger(JobsInBackground.name);
  private readonly running = new Set<Promise<void>>();
  private stopping = false;

  constructor(
    private readonly journal: EgressJournal,
    private readonly delivery: EventDelivery,
    private readonly leases: Leases,
    private readonly slots: JobSlots,
    private readonly heartbeat: HeartbeatService,
    private readonly runner: SyncJobRunner,
    @Inject(AGENT_IDENTITY) private readonly identity: AgentIdentity,
  ) {}

  /** Jobs an earlier process accepted and did not end cannot be taken up again: the control plane hears of it. */
  async reportOrphans(): Promise<void> {
    for (const { jobId, epoch, lastSeq } of this.journal.openJobs()) {
      this.logger.warn(`${jobId} (epoch ${epoch}) was interrupted by a restart`);
      const reporter = new JournaledJobReporter({ jobId, epoch }, this.delivery, this.subject, lastSeq);
      await reporter.failed({ code: 'agent_restarted' });
    }
  }

  /**
   * Resolves when the job is accepted, or was before. The same (job, epoch) is run once.
   * @throws AgentBusyError
   */
  async accept(command: ReceivedSyncJob): Promise<void> {
    const lease = { jobId: command.jobId, epoch: command.epoch };
    if (this.journal.knows(lease.jobId, lease.epoch)) return;
    if (this.stopping || !this.slots.take()) throw new AgentBusyError();
    const held = this.leases.hold(lease, performance.now());
    const reporter = new JournaledJobReporter(lease, this.delivery, this.subject, 0, held.signal);
    try {
      await reporter.started();
    } catch (error) {
      this.leases.release(lease);
      this.slots.giveBack();
      throw error;
    }
    const job = this.run(command, held, reporter).finally(() => this.running.delete(job));
    this.running.add(job);
  }

  /** Stops the jobs, waits until their last events are written, and gives these a moment to arrive. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.leases.abortAll(new SyncJobError({ code: 'agent_restarted' }));
    await Promise.all(this.running);
    const settled = this.delivery.whenEmpty().then(() => this.runner.whenForgotten());
    await Promise.race([settled, sleep(LAST_EVENTS_MS, undefined, { ref: false })]);
  }

  private get subject(): string {
    return eventSubject(this.identity.agentId);
  }

  /** Never rejects. */
  private async run(
    command: ReceivedSyncJob,
    lease: HeldLease,
    reporter: JournaledJobReporter,
  ): Promise<void> {
    try {
      await this.confirmed(lease);
      this.logger.log(`${lease.jobId} (epoch ${lease.epoch}) runs`);
      await this.runner.run(
        await openSecrets(command, this.identity),
        reporter,
        lease.signal,
        lease.onRenewed,
      );
      if (!reporter.hasEnded) throw new Error('the job ended without a result');
      this.logger.log(`${lease.jobId} (epoch ${lease.epoch}) has ended`);
    } catch (error) {
      const failure = error instanceof SyncJobError ? error.failure : ({ code: 'internal' } as const);
      this.logger.error(`${lease.jobId} (epoch ${lease.epoch}) failed: ${failure.code}`);
      if (failure.code === 'internal') this.logger.error(error);
      await reporter.failed(failure).catch((cause: unknown) => this.logger.error(cause));
    } finally {
      this.leases.release(lease);
      this.slots.giveBack();
    }
  }

  /**
   * A command may be old: its lease may have gone to another agent while it lay in the stream. Nothing is touched before
   * the control plane has confirmed the lease.
   */
  private async confirmed({ confirmed, signal }: HeldLease): Promise<void> {
    void this.heartbeat.beat();
    await Promise.race([confirmed, aborted(signal)]);
    signal.throwIfAborted();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

const LAST_EVENTS_MS = 2_000;
