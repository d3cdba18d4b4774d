import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { AgentLinkService } from '../agent-link/agent-link.service.js';
import { Configuration } from '../config/configuration.js';
import { RepeatingTask } from '../job-queue/repeating-task.js';
import { DispatchQueue } from './dispatch-queue.js';
import { SyncJobDispatcher } from './sync-job-dispatcher.js';
import { SyncJobLeasesService } from './sync-job-leases.service.js';
import { WAITING_JOBS } from './waiting-jobs.sql.js';

const PER_ORGANIZATION = 20;

/**
 * Finds in Postgres what Redis or NATS forgot: waiting jobs are offered again, commands that nobody heard are sent again,
 * expired leases are taken back.
 */
@Injectable()
export class SyncJobReconciler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SyncJobReconciler.name);
  private readonly task: RepeatingTask;
  /** When agents could last not be heard: leases are judged only after a whole lease's time of listening. */
  private deafUntil = Date.now();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly leases: SyncJobLeasesService,
    private readonly dispatcher: SyncJobDispatcher,
    private readonly queue: DispatchQueue,
    private readonly link: AgentLinkService,
    private readonly configuration: Configuration,
  ) {
    this.task = new RepeatingTask(configuration.syncJobs.reconcileMs, () => this.reconcile(), this.logger);
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  async reconcile(): Promise<void> {
    const now = Date.now();
    if (!this.link.isConnected()) this.deafUntil = now;
    if (now - this.deafUntil >= this.configuration.syncJobs.leaseMs) await this.leases.takeBackExpired();
    const waiting = await this.dataSource.query<{ id: string }[]>(WAITING_JOBS, [PER_ORGANIZATION]);
    await this.queue.offer(waiting.map(({ id }) => id));
    await this.dispatcher.sendUnheard();
  }
}
