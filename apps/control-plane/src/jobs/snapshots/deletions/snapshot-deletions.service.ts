import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ulid } from 'ulid';
import type { DeletionRefusal } from '@understudy/agent-protocol';

import { AgentLinkService } from '../../../agents/agent-link/connection/agent-link.service.js';
import { AgentTasks, type AgentTask } from '../../../agents/agent-work/agent-tasks.js';
import { AgentsService } from '../../../agents/registry/agents.service.js';
import { Configuration } from '../../../platform/config/configuration.js';
import type { SnapshotEntity } from '../snapshot.entity.js';
import {
  REQUEST_DELETION,
  DUE_DELETIONS,
  END_DELETION,
  FORGET_SNAPSHOT,
  LOCK_SNAPSHOT_OF,
  REFUSE_DELETION,
  SENDABLE_DELETION,
  STANDING_REFUSAL,
} from './snapshot-deletions.sql.js';

/**
 * An archive that an agent must erase from its store. The row is deleted after an agent with that store has
 * acknowledged the erasure.
 */
interface Deletion {
  readonly id: string;
  readonly organizationId: string;
  readonly snapshotId: string;
  readonly store: string;
  /** Only the archives of attempts with a lower epoch are erased; 0 means all archives. */
  readonly beforeEpoch: number;
}
type Due = Pick<Deletion, 'id'>;

/** Why a snapshot could not be erased yet. */
export interface StandingRefusal {
  readonly code: string;
  readonly until: Date;
}

/**
 * Requests the erasure of stored snapshots. Each erasure is an agent task that any agent with the store can
 * execute.
 */
@Injectable()
export class SnapshotDeletionsService implements AgentTask<Due>, OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly agents: AgentsService,
    private readonly tasks: AgentTasks,
    private readonly link: AgentLinkService,
    private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    this.tasks.register(this);
  }

  /**
   * Requests an erasure inside the caller's transaction; call {@link wake} after the commit. A repeated
   * request has no effect.
   */
  async request(manager: EntityManager, deletion: Omit<Deletion, 'id'>, now = new Date()): Promise<void> {
    const { organizationId, snapshotId, store, beforeEpoch } = deletion;
    const id = `del_${ulid()}`;
    await manager.query(REQUEST_DELETION, [id, organizationId, snapshotId, store, beforeEpoch, now]);
  }

  wake(): void {
    this.tasks.wake();
  }

  /**
   * Deletes the task that an agent has acknowledged. If the whole snapshot was erased, its row is deleted,
   * too.
   */
  async acknowledged(id: string, agentId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.query(LOCK_SNAPSHOT_OF, [id]);
      // TypeORM returns [rows, count] for a DELETE … RETURNING.
      const [[ended]] = await manager.query<
        [Pick<Deletion, 'snapshotId' | 'store' | 'beforeEpoch'>[], number]
      >(END_DELETION, [id, agentId]);
      if (ended?.beforeEpoch === 0) await manager.query(FORGET_SNAPSHOT, [ended.snapshotId, ended.store]);
    });
  }

  /**
   * Records that an agent's policy refuses the deletion. The command is sent again later. The API shows the
   * reason.
   */
  async refused({ deletionId, code, retryAfterSeconds }: DeletionRefusal, agentId: string): Promise<void> {
    await this.dataSource.query(REFUSE_DELETION, [deletionId, agentId, code, retryAfterSeconds]);
  }

  /** @returns the refusal that keeps a snapshot for the longest time */
  async refusalOf({
    organizationId,
    id,
  }: Pick<SnapshotEntity, 'organizationId' | 'id'>): Promise<StandingRefusal | undefined> {
    const [refusal] = await this.dataSource.query<StandingRefusal[]>(STANDING_REFUSAL, [organizationId, id]);
    return refusal;
  }

  due(limit: number): Promise<Due[]> {
    const { deletionResendMs, refusedDeletionResendMs } = this.configuration.snapshots;
    return this.dataSource.query(DUE_DELETIONS, [limit, deletionResendMs, refusedDeletionResendMs]);
  }

  async send({ id }: Due): Promise<void> {
    const [deletion] = await this.dataSource.query<Deletion[]>(SENDABLE_DELETION, [id]);
    if (deletion === undefined) return;
    const live = await this.agents.liveAgents(deletion.organizationId);
    const agent = live.find(({ snapshotStore }) => snapshotStore === deletion.store);
    if (agent === undefined) return;
    await this.link.send(agent.id, { pattern: 'delete_snapshot', data: deletion });
    await this.dataSource.query('UPDATE snapshot_deletions SET sent_at = now() WHERE id = $1', [id]);
  }
}
