import { Inject, Injectable, Logger } from '@nestjs/common';
import { eventSubject } from '@understudy/jetstream-transport';
import { SnapshotRunner, type RecoveredRestore } from '@understudy/snapshot-engine';

import { AGENT_IDENTITY, type AgentIdentity } from '../../identity/agent-identity.js';
import { AgentSnapshotStore } from '../../snapshots/agent-snapshot-store.js';
import { EventDelivery } from '../../link/event-delivery.js';
import { EgressJournal } from '../../journal/egress-journal.js';
import type { JournaledJob } from '../../journal/journal-entry.js';
import { JournaledSyncJobReporter } from '../reports/sync-job-reporter.js';
import type { WorkReporter } from './jobs-in-background.js';
import { openReference } from './open-secrets.js';
import { fromSealedText } from '../../wire/received-database.js';
import { JournaledRestoreReporter, JournaledSnapshotReporter } from '../reports/snapshot-reporters.js';

/** What an earlier process accepted and did not end: it is cleared up, and the control plane hears of it. */
@Injectable()
export class InterruptedWork {
  private readonly logger = new Logger(InterruptedWork.name);

  constructor(
    private readonly journal: EgressJournal,
    private readonly delivery: EventDelivery,
    private readonly snapshots: SnapshotRunner,
    private readonly store: AgentSnapshotStore,
    @Inject(AGENT_IDENTITY) private readonly identity: AgentIdentity,
  ) {}

  /** Before any work of this process begins. None of it can be taken up again; a restore may have come to its end. */
  async settle(): Promise<void> {
    const open = this.journal.openJobs();
    const restores = await this.snapshots.recover((sealed, jobId) =>
      openReference(fromSealedText(sealed), { jobId, field: 'target' }, this.identity),
    );
    for (const job of open) {
      this.logger.warn(`${job.jobId} (epoch ${job.epoch}) was interrupted by a restart`);
      if (job.kind === 'restore') await this.settleRestore(job, restores);
      else await this.reporterOf(job).failed({ code: 'agent_restarted' });
      // A store that is away now is no reason to wait: the next attempt has another place in it.
      if (job.kind === 'snapshot') void this.snapshots.forget(job.jobId, job.epoch);
    }
  }

  private async settleRestore(job: JournaledJob, restores: readonly RecoveredRestore[]): Promise<void> {
    const reporter = new JournaledRestoreReporter(this.placeOf(job));
    const recovered = restores.find(({ restoreId, epoch }) => restoreId === job.jobId && epoch === job.epoch);
    if (recovered?.outcome === 'restored') await reporter.ended(recovered);
    else await reporter.failed({ code: 'agent_restarted' });
  }

  private reporterOf(job: JournaledJob): Pick<WorkReporter, 'failed'> {
    const { lease, delivery, subject, lastSeq } = this.placeOf(job);
    return job.kind === 'snapshot'
      ? new JournaledSnapshotReporter({ lease, delivery, subject, lastSeq }, this.store.id)
      : new JournaledSyncJobReporter(lease, delivery, subject, lastSeq);
  }

  private placeOf({ jobId, epoch, lastSeq }: JournaledJob) {
    const subject = eventSubject(this.identity.agentId);
    return { lease: { jobId, epoch }, delivery: this.delivery, subject, lastSeq };
  }
}
