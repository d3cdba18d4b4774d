import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { errorDetail } from '@understudy/postgres';
import { SyncJobError, type SyncFailure } from '@understudy/sync-job';
import { SyncJobRunner } from '@understudy/sync-engine';
import { EventDelivery } from '../../link/event-delivery.js';
import { FreeDisk } from '../leases/free-disk.js';
import { HeartbeatService } from '../leases/heartbeat.service.js';
import { JobSlots } from '../leases/job-slots.js';
import { EgressJournal } from '../../journal/egress-journal.js';
import { Leases, type HeldLease } from '../leases/leases.js';
import type { Lease } from '../../wire/lease.js';
import { whenAborted } from '../reports/journaled-reporter.js';

/** No slot is free: the command stays with JetStream and comes again. */
export class AgentBusyError extends Error {
  readonly code = 'agent.busy';

  constructor() {
    super('all job slots are taken');
    this.name = 'AgentBusyError';
  }
}

/**
 * Accepts work under leases and does it behind the acknowledgement: a command counts as taken when `started` is in the journal,
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
    private readonly disk: FreeDisk,
    private readonly heartbeat: HeartbeatService,
    private readonly runner: SyncJobRunner,
  ) {}

  /**
   * Resolves when the work is accepted or refused, or was before. The same (job, epoch) is run once.
   * @param begin called when there is room for it
   * @throws AgentBusyError
   */
  async accept(lease: Lease, begin: (held: HeldLease) => LeasedWork): Promise<void> {
    if (this.journal.knows(lease.jobId, lease.epoch)) return;
    if (await this.disk.isLow()) return this.refuse(lease, begin);
    if (this.stopping || !this.slots.take()) throw new AgentBusyError();
    const held = this.leases.hold(lease, performance.now());
    const work = begin(held);
    try {
      await work.reporter.started();
    } catch (error) {
      this.leases.release(lease);
      this.slots.giveBack();
      throw error;
    }
    const job = this.run(work, held).finally(() => this.running.delete(job));
    this.running.add(job);
  }

  /** Stops the jobs, waits until their last events are written, and gives these a moment to arrive. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.leases.abortAll(new SyncJobError({ code: 'agent_restarted' }));
    await Promise.all(this.running);
    const finished = this.delivery.whenEmpty().then(() => this.runner.whenForgotten());
    await Promise.race([finished, sleep(LAST_EVENTS_MS, undefined, { ref: false })]);
  }

  /**
   * Gives the lease back, for another agent or for later. The heartbeat goes first: it reports that no slot is free, so that
   * the control plane does not choose this agent again.
   */
  private async refuse(lease: Lease, begin: (held: HeldLease) => LeasedWork): Promise<void> {
    await this.heartbeat.beat();
    const { reporter } = begin(this.leases.hold(lease, performance.now()));
    await reporter.failed({ code: 'agent_disk_low' }).finally(() => this.leases.release(lease));
  }

  /** Never rejects. */
  private async run(work: LeasedWork, lease: HeldLease): Promise<void> {
    const reporter: WorkReporter = work.reporter;
    try {
      await this.confirmed(lease);
      this.logger.log(`${lease.jobId} (epoch ${lease.epoch}) runs`);
      await work.run(lease);
      if (!reporter.hasEnded) throw new Error('the job ended without a result');
      this.logger.log(`${lease.jobId} (epoch ${lease.epoch}) has ended`);
    } catch (error) {
      const failure = error instanceof SyncJobError ? error.failure : ({ code: 'internal' } as const);
      this.logger.error(`${lease.jobId} (epoch ${lease.epoch}) failed: ${failure.code}`);
      if (failure.code === 'internal')
        this.logger.error({ detail: errorDetail(error) }, 'an error of its own');
      await reporter
        .failed(failure)
        .catch((cause: unknown) =>
          this.logger.error({ detail: errorDetail(cause) }, 'the failure could not be reported'),
        );
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
    await Promise.race([confirmed, whenAborted(signal)]);
    signal.throwIfAborted();
  }
}

const LAST_EVENTS_MS = 2_000;

/** Reports the beginning of work under a lease, and a failure that the work did not report itself. */
export interface WorkReporter {
  readonly hasEnded: boolean;
  /** Resolves when it is in the journal. */
  started(): Promise<void>;
  failed(failure: SyncFailure): Promise<void>;
}

/** A sync job, a snapshot that is made, or a restore. */
export interface LeasedWork {
  readonly reporter: WorkReporter;
  /** Runs to the end and reports it. */
  run(lease: HeldLease): Promise<void>;
}
