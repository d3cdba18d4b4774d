import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import { AgentLinkService } from '../agent-link/agent-link.service.js';
import { AgentsService } from '../agents/agents.service.js';
import { Configuration } from '../config/configuration.js';
import { JobQueue } from '../job-queue/job-queue.js';
import { RepeatingTask } from '../job-queue/repeating-task.js';
import type { SnapshotDeletionEntity } from './snapshot-deletion.entity.js';
import {
  ASK_DELETION,
  DUE_DELETIONS,
  END_DELETION,
  FORGET_SNAPSHOT,
  LOCK_SNAPSHOT_OF,
  SENDABLE_DELETION,
} from './snapshot-deletions.sql.js';

const TOPIC = 'snapshot.delete';
const BATCH = 100;

type Deletion = Pick<
  SnapshotDeletionEntity,
  'id' | 'organizationId' | 'snapshotId' | 'store' | 'beforeEpoch'
>;

/**
 * Has stored snapshots erased where they are: asked for in the transaction that makes one unwanted, sent until an agent of
 * the store has answered, through outages of Redis and NATS and for as long as every agent of the store is away.
 */
@Injectable()
export class SnapshotDeletionsService implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: RepeatingTask;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly agents: AgentsService,
    private readonly queue: JobQueue,
    private readonly link: AgentLinkService,
    private readonly configuration: Configuration,
  ) {
    this.task = new RepeatingTask(
      configuration.syncJobs.reconcileMs,
      () => this.reconcile(),
      new Logger(SnapshotDeletionsService.name),
    );
  }

  onModuleInit(): void {
    this.queue.handle(TOPIC, (id) => this.send(id));
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  /** Inside the caller's transaction; call {@link wake} after its commit. Asking again changes nothing. */
  async ask(manager: EntityManager, deletion: Omit<Deletion, 'id'>, now = new Date()): Promise<void> {
    const { organizationId, snapshotId, store, beforeEpoch } = deletion;
    const id = `del_${ulid()}`;
    await manager.query(ASK_DELETION, [id, organizationId, snapshotId, store, beforeEpoch, now]);
  }

  wake(): void {
    this.task.wake();
  }

  /** An agent has answered: what it erased is gone, and so is the snapshot that was to be deleted. */
  async answered(id: string, agentId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.query(LOCK_SNAPSHOT_OF, [id]);
      // TypeORM answers a DELETE … RETURNING with [rows, count].
      const [[ended]] = await manager.query<
        [Pick<Deletion, 'snapshotId' | 'store' | 'beforeEpoch'>[], number]
      >(END_DELETION, [id, agentId]);
      if (ended?.beforeEpoch === 0) await manager.query(FORGET_SNAPSHOT, [ended.snapshotId, ended.store]);
    });
  }

  private async send(id: string): Promise<void> {
    const [deletion] = await this.dataSource.query<Deletion[]>(SENDABLE_DELETION, [id]);
    if (deletion === undefined || !this.link.isConnected()) return;
    const live = await this.agents.liveAgents(deletion.organizationId);
    const agent = live.find(({ snapshotStore }) => snapshotStore === deletion.store);
    if (agent === undefined) return;
    await this.link.sendSnapshotDeletion(agent.id, deletion);
    await this.dataSource.query('UPDATE snapshot_deletions SET sent_at = now() WHERE id = $1', [id]);
  }

  private async reconcile(): Promise<void> {
    const due = await this.dataSource.query<{ id: string }[]>(DUE_DELETIONS, [
      BATCH,
      this.configuration.snapshots.deletionResendMs,
    ]);
    if (due.length > 0)
      await this.queue.add(
        TOPIC,
        due.map(({ id }) => id),
      );
  }
}
