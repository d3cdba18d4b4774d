import { Injectable, Logger } from '@nestjs/common';
import { defined } from '@understudy/sync-job';
import { SnapshotRunner, type RecoveredRestore } from '@understudy/snapshot-engine';

import { AgentSnapshotStore } from '../../snapshots/agent-snapshot-store.js';
import { EventDelivery } from '../../link/event-delivery.js';
import { EgressJournal } from '../../journal/egress-journal.js';
import type { JournaledJob } from '../../journal/journal-entry.js';
import type { ReporterOptions } from '../reports/journaled-reporter.js';
import type { WorkReporter } from './jobs-in-background.js';
import { DatabaseReferences } from './database-references.js';
import { fromSealedText } from './sealed-text.js';
import { restoreReporter, snapshotReporter, syncJobReporter } from '../reports/reporters.js';

/** Cleans up work that an earlier process left unfinished, and reports its end to the control plane. */
@Injectable()
export class InterruptedWork {
  private readonly logger = new Logger(InterruptedWork.name);

  constructor(
    private readonly journal: EgressJournal,
    private readonly delivery: EventDelivery,
    private readonly snapshots: SnapshotRunner,
    private readonly store: AgentSnapshotStore,
    private readonly databases: DatabaseReferences,
  ) {}

  /**
   * Reports each interrupted job as failed, because work cannot be resumed. A restore whose switch was
   * committed is reported as completed. Must run before any work of this process begins.
   */
  async resolve(): Promise<void> {
    const open = this.journal.openJobs();
    const restores = await this.snapshots.recover((sealed, jobId) =>
      this.databases.open(fromSealedText(sealed), { jobId, field: 'target' }),
    );
    for (const job of open) {
      this.logger.warn(`${job.jobId} (epoch ${job.epoch}) was interrupted by a restart`);
      if (job.kind === 'restore') await this.resolveRestore(job, restores);
      else await this.reporterOf(job).report(FAILED);
      // Do not wait, because the store may be unreachable. Files that remain do no harm, because the next
      // attempt writes to another path in the store.
      if (job.kind === 'snapshot') void this.snapshots.forget(job.jobId, job.epoch);
    }
  }

  private async resolveRestore(job: JournaledJob, restores: readonly RecoveredRestore[]): Promise<void> {
    const reporter = restoreReporter(this.reporterOptions(job));
    const recovered = restores.find(({ restoreId, epoch }) => restoreId === job.jobId && epoch === job.epoch);
    if (recovered?.outcome === 'restored') {
      const { counts, durationMs, keptHours } = recovered;
      await reporter.report({ type: 'completed', counts, durationMs, ...defined({ keptHours }) });
    } else await reporter.report(FAILED);
  }

  private reporterOf(job: JournaledJob): Pick<WorkReporter, 'report'> {
    const options = this.reporterOptions(job);
    return job.kind === 'snapshot' ? snapshotReporter(options, this.store.id) : syncJobReporter(options);
  }

  private reporterOptions({ jobId, epoch, lastSeq }: JournaledJob): ReporterOptions {
    return { lease: { jobId, epoch }, delivery: this.delivery, lastSeq };
  }
}

const FAILED = { type: 'failed', failure: { code: 'agent_restarted' } } as const;
