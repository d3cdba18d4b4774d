import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Configuration } from '../../../platform/config/configuration.js';
import { RepeatingService } from '../../../platform/job-queue/repeating-task.js';
import { databaseNow } from '../../../platform/persistence/database-values.js';
import { WebhookEventsService } from '../../../webhooks/events/webhook-events.service.js';
import { AgentLinkService } from '../../agent-link/connection/agent-link.service.js';
import { END_ABSENCES, START_ABSENCES, WATCH } from './agent-absences.sql.js';

const BATCH = 100;

interface Absence {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** Time of the last heartbeat before the absence. */
  readonly awaySince: Date;
}

/**
 * Records the webhook events of agents that are away and of agents that are back. The silence of an agent counts only
 * while the control plane can receive heartbeats. PostgreSQL stores both, so any number of processes record each
 * absence once.
 */
@Injectable()
export class AgentAbsences extends RepeatingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly link: AgentLinkService,
    private readonly webhooks: WebhookEventsService,
    private readonly configuration: Configuration,
  ) {
    super(configuration.agentLink.absenceSweepMs);
  }

  protected async runTask(): Promise<void> {
    await this.inBatches(BATCH, () => this.sweep());
  }

  /**
   * Records up to 100 absences that have begun and up to 100 that have ended.
   * @returns the larger one of the two numbers
   */
  async sweep(): Promise<number> {
    if (!this.link.isReady()) return 0;
    const { awayAfterMs } = this.configuration.agentLink;
    const changed = await this.dataSource.transaction(async (manager) => {
      await manager.query(WATCH);
      // TypeORM returns [rows, count] for UPDATE … RETURNING.
      const [ended] = await manager.query<[Absence[], number]>(END_ABSENCES, [BATCH]);
      const [started] = await manager.query<[Absence[], number]>(START_ABSENCES, [BATCH, awayAfterMs]);
      const occurredAt = await databaseNow(manager);
      const changes = [
        ...ended.map((absence) => ({ ...absence, type: 'agent.back' as const })),
        ...started.map((absence) => ({ ...absence, type: 'agent.away' as const })),
      ];
      for (const { id, organizationId, name, awaySince, type } of changes) {
        const data = { agent_id: id, name, away_since: awaySince.toISOString() };
        await this.webhooks.record(manager, { organizationId, type, subject: id, occurredAt, data });
      }
      return Math.max(ended.length, started.length);
    });
    if (changed > 0) this.webhooks.wake();
    return changed;
  }
}
