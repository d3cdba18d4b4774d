import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { SyncJobCommand } from '@understudy/agent-protocol';
import { SyncJobRunner } from '@understudy/sync-engine';

import { EventDelivery } from '../../link/event-delivery.js';
import { JobsInBackground } from './jobs-in-background.js';
import { syncJobReporter } from '../reports/reporters.js';
import { JobTables } from '../../sync/job-tables.js';
import { DatabaseReferences } from './database-references.js';

/** Accepts commands to run sync jobs. */
@Controller()
export class SyncJobs {
  constructor(
    private readonly jobs: JobsInBackground,
    private readonly delivery: EventDelivery,
    private readonly runner: SyncJobRunner,
    private readonly databases: DatabaseReferences,
    private readonly tables: JobTables,
  ) {}

  /**
   * Resolves when the job is accepted or refused.
   * @throws AgentBusyError
   */
  @EventPattern('run_sync_job')
  accept(@Payload() command: SyncJobCommand): Promise<void> {
    const { jobId, epoch, graceSeconds } = command;
    const lease = { jobId, epoch };
    return this.jobs.accept({ ...lease, graceSeconds }, ({ signal, keepSnapshot }) => {
      const reporter = syncJobReporter({ lease, delivery: this.delivery, signal });
      return {
        reporter,
        run: async () => {
          const source = await this.databases.open(command.source, { jobId, field: 'source' });
          const target = await this.databases.open(command.target, { jobId, field: 'target' });
          const { fetchedTables } = command;
          const tables = fetchedTables
            ? await this.tables.fetch(jobId, fetchedTables, signal)
            : command.tables;
          await this.runner.run({ ...command, tables, source, target }, reporter, signal, keepSnapshot);
        },
      };
    });
  }
}
