import { Injectable, Logger } from '@nestjs/common';
import type { SyncJobEvent } from '@understudy/agent-protocol';
import { namesOf } from '@understudy/sync-job';

import { Configuration } from '../../../platform/config/configuration.js';
import { databaseNow } from '../../../platform/persistence/database-values.js';
import { KeptDatabasesService } from '../../kept-databases/kept-databases.service.js';
import { PrivateModelsService } from '../../../data/private-models/private-models.service.js';
import type { Outcome } from '../../../agents/agent-work/leases/apply-report.js';
import { applyEvent } from './apply-event.js';
import { WorkOffers } from '../../../agents/agent-work/leases/work-offers.js';
import { SyncJobStore } from '../sync-job-store.js';
import { definitionForEvent } from '../tables/fetched-tables.js';
import { isWaiting } from '../../../agents/agent-work/leases/work-state.js';

/** Writes the events of agents about sync jobs to PostgreSQL. Each event takes effect exactly once. */
@Injectable()
export class SyncJobEventsService {
  private readonly logger = new Logger(SyncJobEventsService.name);

  constructor(
    private readonly store: SyncJobStore,
    private readonly configuration: Configuration,
    private readonly offers: WorkOffers,
    private readonly models: PrivateModelsService,
    private readonly kept: KeptDatabasesService,
  ) {}

  /** Applies an event, and resolves after the commit. An event of an unknown job is `stale`. */
  async apply(event: SyncJobEvent, agentId: string): Promise<Outcome> {
    const { outcome, waiting } = await this.store.transaction(async (manager) => {
      const locked = await this.store.lock(manager, event.jobId);
      if (!locked) return { outcome: 'stale' as const, waiting: false };
      const { row, tableNames, progress } = locked;
      const definition = await definitionForEvent(manager, row, tableNames, event.body);
      const now = await databaseNow(manager);
      const { maxAttempts, maxLostLeases } = this.configuration.syncJobs;
      const applied = applyEvent(progress, definition, event, {
        agentId,
        now,
        createdAt: row.createdAt,
        maxAttempts,
        maxLostLeases,
        names: namesOf(definition),
      });
      await this.store.write(manager, locked, applied.job);
      const { body } = event;
      const isCompleted = applied.outcome === 'applied' && body.type === 'completed';
      if (isCompleted && definition.replace === 'database' && !isReplacedAgain(body))
        await this.kept.replaced(manager, row, {
          ...{ keptHours: body.keptHours, now, replacedAt: applied.job.state.completedAt },
          endSessions: definition.endSessions === true,
        });
      if (applied.trained) {
        const trained = { ...applied.trained, agentId, trainedAt: now };
        await this.models.record(manager, row.organizationId, trained);
      }
      return {
        outcome: applied.outcome,
        waiting: event.body.type === 'failed' && isWaiting(applied.job.state),
      };
    });
    const { type } = event.body;
    if (outcome === 'applied' && (type === 'completed' || type === 'predicted' || type === 'failed'))
      this.logger.log({
        job_id: event.jobId,
        agent_id: agentId,
        epoch: event.epoch,
        msg: `reported ${type}`,
      });
    if (waiting) await this.offers.offer([event.jobId]);
    return outcome;
  }
}

/**
 * Returns whether a later change had replaced the target before the job reported its end. An agent that found only the
 * result gone reports what it keeps.
 */
function isReplacedAgain({ warnings, keptHours }: CompletedBody): boolean {
  return keptHours === undefined && warnings.some(({ code }) => code === 'result_unknown');
}

type CompletedBody = Extract<SyncJobEvent['body'], { readonly type: 'completed' }>;
