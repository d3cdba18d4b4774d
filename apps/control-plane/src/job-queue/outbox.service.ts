import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

import { Configuration } from '../config/configuration.js';
import { CLAIM_OUTBOX, FORGET_PUBLISHED, MARK_PUBLISHED, OUTBOX_LAG } from './claim-outbox.sql.js';
import { JobQueue } from './job-queue.js';
import { OutboxEntity } from './outbox.entity.js';
import { RepeatingTask } from './repeating-task.js';

const BATCH = 200;

export interface OutboxLag {
  readonly waiting: number;
  readonly oldestSeconds: number;
}

/** Work is written with the change that asks for it, and brought to the queue after the commit, at least once. */
@Injectable()
export class OutboxService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: RepeatingTask;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
    configuration: Configuration,
  ) {
    this.task = new RepeatingTask(
      configuration.syncJobs.relayMs,
      () => this.relay(),
      new Logger(OutboxService.name),
    );
  }

  /** Inside the caller's transaction; call {@link wake} after its commit. */
  async write(manager: EntityManager, topic: string, key: string): Promise<void> {
    await manager.insert(OutboxEntity, { topic, key });
  }

  wake(): void {
    this.task.wake();
  }

  async lag(): Promise<OutboxLag> {
    const [lag] = await this.dataSource.query<OutboxLag[]>(OUTBOX_LAG);
    return lag ?? { waiting: 0, oldestSeconds: 0 };
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  private async relay(): Promise<void> {
    while ((await this.relayBatch()) === BATCH);
    await this.dataSource.query(FORGET_PUBLISHED);
  }

  private relayBatch(): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const rows = await manager.query<{ id: string; topic: string; key: string }[]>(CLAIM_OUTBOX, [BATCH]);
      for (const topic of new Set(rows.map((row) => row.topic))) {
        await this.queue.add(
          topic,
          rows.filter((row) => row.topic === topic).map(({ key }) => key),
        );
      }
      if (rows.length > 0) await manager.query(MARK_PUBLISHED, [rows.map(({ id }) => id)]);
      return rows.length;
    });
  }
}
