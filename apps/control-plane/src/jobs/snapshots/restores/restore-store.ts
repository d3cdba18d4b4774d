import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { AgentLinkService } from '../../../agents/agent-link/connection/agent-link.service.js';
import { toCommandDatabase, withoutSecret } from '../../../agents/agent-work/connections/agent-database.js';
import { LeasedWork, LeasedWorks, type LockedWork } from '../../../agents/agent-work/leases/leased-work.js';
import { stateColumns, toState } from '../../../agents/agent-work/leases/work-columns.js';
import { advance, isEnded, type WorkState } from '../../../agents/agent-work/leases/work-state.js';
import { databaseNow } from '../../../platform/persistence/database-values.js';
import { WebhookEventsService } from '../../../webhooks/events/webhook-events.service.js';
import { SnapshotDeletionsService } from '../deletions/snapshot-deletions.service.js';
import { restoreEnded } from '../events/snapshot-webhook-events.js';
import { resetProgress, type Progress } from '../events/snapshot-progress.js';
import { restoreError } from '../events/snapshot-errors.js';
import { SnapshotRestoreEntity } from './snapshot-restore.entity.js';
import { SnapshotEntity } from '../snapshot.entity.js';

/** A locked restore and the name of its snapshot. */
export interface LockedRestore {
  readonly row: SnapshotRestoreEntity;
  readonly snapshotName: string;
}

export interface RestoreChange extends Partial<Pick<SnapshotRestoreEntity, 'requires' | 'unmatchedSince'>> {
  readonly state?: WorkState;
  readonly progress?: Progress | null;
}

/** Stores restores. Every change of a restore uses this class, under a row lock. */
@Injectable()
export class RestoreStore extends LeasedWork {
  readonly table = 'snapshot_restores';
  readonly prefix = 'rst_';

  constructor(
    dataSource: DataSource,
    works: LeasedWorks,
    private readonly link: AgentLinkService,
    deletions: SnapshotDeletionsService,
    private readonly webhooks: WebhookEventsService,
  ) {
    // The deletion of a snapshot may wait for the end of a restore, so the end wakes deletions, too.
    super(dataSource, works, [webhooks, deletions]);
  }

  async lock(manager: EntityManager, id: string): Promise<LockedRestore | undefined> {
    const row = await this.lockRow(manager, SnapshotRestoreEntity, id);
    const snapshot = row && (await manager.findOneBy(SnapshotEntity, { id: row.snapshotId }));
    return snapshot ? { row, snapshotName: snapshot.name } : undefined;
  }

  async lockWork(manager: EntityManager, id: string): Promise<LockedWork | undefined> {
    const locked = await this.lock(manager, id);
    if (locked === undefined) return undefined;
    return this.lockedWork(
      locked.row,
      () => restoreError({ code: 'lease_lost' }),
      (within, state, requirements) =>
        this.write(within, locked, { state, ...requirements, ...resetProgress(locked.row, state) }),
    );
  }

  async send(id: string, agentId: string): Promise<void> {
    const { manager } = this.dataSource;
    const restore = await manager.findOneBy(SnapshotRestoreEntity, { id, agentId });
    const made = restore && (await manager.findOneBy(SnapshotEntity, { id: restore.snapshotId }))?.made;
    if (!made) return;
    const data = {
      restoreId: id,
      epoch: restore.epoch,
      snapshotId: restore.snapshotId,
      snapshotEpoch: made.epoch,
      manifestHash: made.manifestHash,
      target: toCommandDatabase(restore.target, agentId, restore.requires),
      overwrite: restore.overwrite,
      acceptedAt: restore.createdAt,
      graceSeconds: restore.graceSeconds,
    };
    await this.link.send(agentId, { pattern: 'restore_snapshot', data });
  }

  /**
   * Writes a change in the caller's transaction. A change that ends the restore also deletes the sealed URL
   * and records the webhook event.
   */
  async write(
    manager: EntityManager,
    { row, snapshotName }: LockedRestore,
    { state, ...rest }: RestoreChange,
  ): Promise<void> {
    const ends = state !== undefined && isEnded(state.status) && !isEnded(row.status);
    await manager.update(
      SnapshotRestoreEntity,
      { id: row.id },
      {
        ...rest,
        ...(state === undefined ? {} : stateColumns(state)),
        ...(ends ? { target: withoutSecret(row.target) } : {}),
      },
    );
    if (ends) await this.webhooks.record(manager, restoreEnded(row, snapshotName, state));
  }

  /**
   * Fails the waiting restores of a snapshot that will be deleted. Restores with a lease continue, and the
   * archive is not erased before they end. The caller's transaction must hold the snapshot's lock, which
   * blocks new restores.
   */
  async endWaiting(
    manager: EntityManager,
    { id: snapshotId, name: snapshotName }: Pick<SnapshotEntity, 'id' | 'name'>,
  ): Promise<void> {
    const lock = { mode: 'pessimistic_write' } as const;
    const rows = await manager.find(SnapshotRestoreEntity, {
      where: { snapshotId },
      order: { id: 'ASC' },
      lock,
    });
    const now = await databaseNow(manager);
    for (const row of rows) {
      const state = toState(row);
      if (isEnded(state.status) || state.leaseExpiresAt !== null) continue;
      const error = restoreError({ code: 'cancelled' });
      const next = advance(state, { type: 'agent_failed', error }, { now });
      await this.write(manager, { row, snapshotName }, { state: next });
    }
  }
}
