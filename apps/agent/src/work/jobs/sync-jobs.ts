import { Inject, Injectable } from '@nestjs/common';
import { SyncJobRunner } from '@understudy/sync-engine';

import { AGENT_IDENTITY, type AgentIdentity } from '../../identity/agent-identity.js';
import type { ReceivedSyncJob } from '../../wire/decode-command.js';
import { EventDelivery } from '../../link/event-delivery.js';
import { JobsInBackground } from './jobs-in-background.js';
import { JournaledSyncJobReporter } from '../reports/sync-job-reporter.js';
import { openSecrets } from './open-secrets.js';

/** Accepts commands to run sync jobs. */
@Injectable()
export class SyncJobs {
  constructor(
    private readonly jobs: JobsInBackground,
    private readonly delivery: EventDelivery,
    private readonly runner: SyncJobRunner,
    @Inject(AGENT_IDENTITY) private readonly identity: AgentIdentity,
  ) {}

  /**
   * Resolves when the job is accepted or refused.
   * @throws AgentBusyError
   */
  accept(command: ReceivedSyncJob): Promise<void> {
    const { jobId, epoch, graceSeconds } = command;
    const lease = { jobId, epoch };
    return this.jobs.accept({ ...lease, graceSeconds }, ({ signal, keepSnapshot }) => {
      const reporter = new JournaledSyncJobReporter({ lease, delivery: this.delivery, signal });
      return {
        reporter,
        run: async () =>
          this.runner.run(await openSecrets(command, this.identity), reporter, signal, keepSnapshot),
      };
    });
  }
}
