import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { AgentLinkService } from '../../agents/agent-link/connection/agent-link.service.js';
import { toCommandDatabase, withoutSecret } from '../../agents/agent-work/connections/agent-database.js';
import { LeasedWork, LeasedWorks, type LockedWork } from '../../agents/agent-work/leases/leased-work.js';
import { stateColumns } from '../../agents/agent-work/leases/work-columns.js';
import { isEnded, type WorkState } from '../../agents/agent-work/leases/work-state.js';
import { QuotasService } from '../../accounts/usage/quotas.service.js';
import { WebhookEventsService } from '../../webhooks/events/webhook-events.service.js';
import { SnapshotDeletionsService } from './deletions/snapshot-deletions.service.js';
import { snapshotEnded } from './events/snapshot-webhook-events.js';
import { resetProgress, type Progress } from './events/snapshot-progress.js';
import { isCounted, isUnwanted } from './snapshot-status.js';
import { snapshotError } from './events/snapshot-errors.js';
import { SnapshotEntity } from './snapshot.entity.js';

/** A change of a snapshot. */
export interface SnapshotChange extends Partial<
  Pick<
    SnapshotEntity,
    'requires' | 'unmatchedSince' | 'made' | 'tables' | 'sizeBytes' | 'expiredAt' | 'deleteRequestedAt'
  >
> {
  readonly state?: WorkState;
  readonly progress?: Progress | null;
}

/** Stores snapshots. Every change of a snapshot uses this class, under a row lock. */
@Injectable()
export class SnapshotRows extends LeasedWork {
  readonly table = 'snapshots';
  readonly prefix = 'snap_';

  constructor(
    dataSource: DataSource,
    works: LeasedWorks,
    private readonly link: AgentLinkService,
    private readonly quotas: QuotasService,
    private readonly deletions: SnapshotDeletionsService,
    private readonly webhooks: WebhookEventsService,
  ) {
    super(dataSource, works, [webhooks, deletions]);
  }

  /** @param organizationId as in `lockRow` */
  lock(manager: EntityManager, id: string, organizationId?: string): Promise<SnapshotEntity | null> {
    return this.lockRow(manager, SnapshotEntity, id, organizationId);
  }

  async lockWork(manager: EntityManager, id: string): Promise<LockedWork | undefined> {
    const row = await this.lock(manager, id);
    if (row === null) return undefined;
    return this.lockedWork(
      row,
      () => snapshotError({ code: 'lease_lost' }, row.askedTables),
      (within, state, requirements) =>
        this.write(within, row, { state, ...requirements, ...resetProgress(row, state) }),
    );
  }

  async send(id: string, agentId: string): Promise<void> {
    const snapshot = await this.dataSource.manager.findOneBy(SnapshotEntity, { id, agentId });
    if (snapshot === null) return;
    const data = {
      snapshotId: id,
      epoch: snapshot.epoch,
      database: toCommandDatabase(snapshot.database, agentId, snapshot.requires),
      tables: snapshot.askedTables,
      acceptedAt: snapshot.createdAt,
      expiresAt: snapshot.expiresAt,
      graceSeconds: snapshot.graceSeconds,
    };
    await this.link.send(agentId, { pattern: 'create_snapshot', data });
  }

  /**
   * Writes a change in the caller's transaction, together with its consequences. A change can release the
   * quota, record a webhook event, and delete the sealed URL. If the snapshot is expired or must be deleted
   * and its creation has ended, the method requests the erasure of its archive. If there is no archive, the
   * method deletes the row of a snapshot that must be deleted.
   */
  async write(manager: EntityManager, row: SnapshotEntity, change: SnapshotChange): Promise<void> {
    const { state, ...rest } = change;
    const columns = { ...rest, ...(state === undefined ? {} : stateColumns(state)) };
    const next: SnapshotEntity = Object.assign(new SnapshotEntity(), row, columns);
    const ended = isEnded(next.status);
    const ends = ended && !isEnded(row.status);
    const secret = ends ? { database: withoutSecret(row.database) } : {};
    await manager.update(SnapshotEntity, { id: row.id }, { ...columns, ...secret });
    if (isCounted(row) && !isCounted(next))
      await this.quotas.release(manager, row.organizationId, 'snapshots');
    if (ends) await this.webhooks.record(manager, snapshotEnded(next));
    if (isUnwanted(next) && ended) await this.remove(manager, next);
  }

  private async remove(manager: EntityManager, snapshot: SnapshotEntity): Promise<void> {
    const { id, organizationId, made, deleteRequestedAt } = snapshot;
    if (made !== null) {
      await this.deletions.request(manager, {
        organizationId,
        snapshotId: id,
        store: made.store,
        beforeEpoch: 0,
      });
    } else if (deleteRequestedAt !== null) {
      await manager.delete(SnapshotEntity, { id });
    }
  }
}
