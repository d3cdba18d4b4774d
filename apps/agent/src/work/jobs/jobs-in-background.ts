import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { GrantedLease } from '@understudy/agent-protocol';
import { errorDetail } from '@understudy/postgres';
import { SyncJobError, type SyncFailure } from '@understudy/sync-job';
import { SyncJobRunner } from '@understudy/sync-engine';
import { EventDelivery } from '../../link/event-delivery.js';
import { FreeDisk } from '../leases/free-disk.js';
import { HeartbeatService } from '../leases/heartbeat.service.js';
import { JobSlots } from '../leases/job-slots.js';
import { EgressJournal } from '../../journal/egress-journal.js';
import { LeaseLostError, Leases, type HeldLease } from '../leases/leases.js';
import { whenAborted } from '../reports/journaled-reporter.js';

/** No job slot is free. JetStream keeps the command and delivers it again. */
export class AgentBusyError extends Error {
  readonly code = 'agent.busy';

  constructor() {
    super('all job slots are taken');
    this.name = 'AgentBusyError';
  }
}

/**
 * Accepts work under leases and runs it in the background. A command is acknowledged when its `started` event
 * is in the journal. From then on, the agent reports the end of the job even if the process crashes: the next
 * process reads the journal.
 */
@Injectable()
export class JobsInBackground implements BeforeApplicationShutdown {
  private readonly logger = new Logger(JobsInBackground.name);
  private readonly running = new Set<RunningWork>();
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
   * Resolves when the work is accepted or refused. Runs each job at most once per epoch and ignores repeated commands.
   * @param begin called when a slot is free
   * @throws AgentBusyError
   */
  async accept(lease: GrantedLease, begin: (held: HeldLease) => LeasedWork): Promise<void> {
    if (this.journal.knows(lease.jobId, lease.epoch)) return;
    if (await this.disk.isLow()) return this.refuse(lease, begin);
    if (this.stopping || !this.slots.take()) throw new AgentBusyError();
    const held = this.leases.hold(lease);
    const work = begin(held);
    try {
      await work.reporter.report({ type: 'started' });
    } catch (error) {
      this.leases.release(lease);
      this.slots.giveBack();
      throw error;
    }
    const end = this.run(work, held).finally(() => this.running.delete(running));
    const running: RunningWork = { jobId: lease.jobId, end };
    this.running.add(running);
  }

  /** Returns how the latest attempt of running work ends, or undefined if this process does not run the work. */
  endOf(jobId: string): Promise<WorkEnd> | undefined {
    return [...this.running].findLast((work) => work.jobId === jobId)?.end;
  }

  /** Stops the jobs, waits until their last events are journaled, and waits up to 2 s for their acknowledgement. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.leases.abortAll(new SyncJobError({ code: 'agent_restarted' }));
    await Promise.all([...this.running].map(({ end }) => end));
    const finished = this.delivery.whenEmpty().then(() => this.runner.whenForgotten());
    await Promise.race([finished, sleep(LAST_EVENTS_MS, undefined, { ref: false })]);
  }

  /**
   * Returns the lease to the control plane, because the disk is almost full. First sends a heartbeat that
   * reports no free slot, so that the control plane does not choose this agent again.
   */
  private async refuse(lease: GrantedLease, begin: (held: HeldLease) => LeasedWork): Promise<void> {
    await this.heartbeat.beat();
    const { reporter } = begin(this.leases.hold(lease));
    const failure = { code: 'agent_disk_low' } as const;
    await reporter.report({ type: 'failed', failure }).finally(() => this.leases.release(lease));
  }

  /** Runs the work and reports a failure. Never rejects. */
  private async run(work: LeasedWork, lease: HeldLease): Promise<WorkEnd> {
    const reporter: WorkReporter = work.reporter;
    try {
      await this.confirmed(lease);
      this.logger.log(`${lease.jobId} (epoch ${lease.epoch}) has started`);
      await work.run(lease);
      if (!reporter.hasEnded) throw new Error('the job ended without a result');
      this.logger.log(`${lease.jobId} (epoch ${lease.epoch}) has ended`);
    } catch (error) {
      const failure = failureBehind(error);
      this.logger.error(`${lease.jobId} (epoch ${lease.epoch}) failed: ${failure.code}`);
      if (failure.code === 'internal')
        this.logger.error({ detail: errorDetail(error) }, 'the internal error behind the failure');
      await reporter
        .report({ type: 'failed', failure })
        .catch((cause: unknown) =>
          this.logger.error({ detail: errorDetail(cause) }, 'the failure could not be reported'),
        );
    } finally {
      this.leases.release(lease);
      this.slots.giveBack();
    }
    return reporter.failureCode ?? 'completed';
  }

  /**
   * Waits until the control plane has confirmed the lease, before any database is accessed. The command may be old, and
   * another agent may have received the lease since.
   */
  private async confirmed({ confirmed, signal }: HeldLease): Promise<void> {
    void this.heartbeat.beat();
    await Promise.race([confirmed, whenAborted(signal)]);
    signal.throwIfAborted();
  }
}

/** Returns the failure to log and report for an error outside the engines. */
function failureBehind(error: unknown): SyncFailure {
  if (error instanceof SyncJobError) return error.failure;
  return { code: error instanceof LeaseLostError ? 'lease_lost' : 'internal' };
}

const LAST_EVENTS_MS = 2_000;

/** `completed`, or the code of the failure. */
export type WorkEnd = string;

interface RunningWork {
  readonly jobId: string;
  readonly end: Promise<WorkEnd>;
}

/** Reports the start of work, and a failure that the work did not report itself. */
export interface WorkReporter {
  readonly hasEnded: boolean;
  /** The code of the reported failure; undefined if the work has not ended or has completed. */
  readonly failureCode: string | undefined;
  /** Resolves when the event is in the journal. */
  report(
    event: { readonly type: 'started' } | { readonly type: 'failed'; readonly failure: SyncFailure },
  ): Promise<void>;
}

/** A sync job, the creation of a snapshot, or a restore. */
export interface LeasedWork {
  readonly reporter: WorkReporter;
  /** Runs the work and reports its result. */
  run(lease: HeldLease): Promise<void>;
}
