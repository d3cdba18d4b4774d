import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { AgentLinkService } from '../../agent-link/connection/agent-link.service.js';
import { runEach } from '../../../platform/job-queue/run-each.js';
import { Configuration } from '../../../platform/config/configuration.js';
import { RepeatingService } from '../../../platform/job-queue/repeating-task.js';
import { LeasedWorks, type LeasedWork } from './leased-work.js';
import { WorkLeasesService } from './work-leases.service.js';
import { WorkOffers } from './work-offers.js';
import { waitingWork } from './waiting-work.sql.js';
import { WorkDispatcher } from './work-dispatcher.js';

const PER_ORGANIZATION = 20;

/**
 * Restores data that Redis or NATS lost, from the rows in PostgreSQL: queues waiting work again and resends
 * unconfirmed commands. Also reclaims expired leases.
 */
@Injectable()
export class WorkReconciler extends RepeatingService {
  /**
   * The last time at which NATS was disconnected. Agents cannot renew leases without NATS. Expired leases are
   * therefore reclaimed only after NATS was connected for the duration of a lease.
   */
  private disconnectedUntil = performance.now();

  constructor(
    private readonly dataSource: DataSource,
    private readonly works: LeasedWorks,
    private readonly leases: WorkLeasesService,
    private readonly dispatcher: WorkDispatcher,
    private readonly offers: WorkOffers,
    private readonly link: AgentLinkService,
    private readonly configuration: Configuration,
  ) {
    super(configuration.syncJobs.reconcileMs);
  }

  protected async runTask(): Promise<void> {
    const now = performance.now();
    if (!this.link.isReady()) this.disconnectedUntil = now;
    const mayReclaim = now - this.disconnectedUntil >= this.configuration.syncJobs.leaseMs;
    const steps = [
      async () => void (mayReclaim && (await this.leases.reclaimExpired())),
      ...this.works.all().map((work) => () => this.offerWaiting(work)),
      () => this.dispatcher.resendUnconfirmed(),
    ];
    // The steps run one after another, because each depends on the changes of the step before it.
    await runEach(steps, (step) => step(), 1);
  }

  private async offerWaiting({ table }: LeasedWork): Promise<void> {
    const waiting = await this.dataSource.query<{ id: string }[]>(waitingWork(table), [PER_ORGANIZATION]);
    await this.offers.offer(waiting.map(({ id }) => id));
  }
}
