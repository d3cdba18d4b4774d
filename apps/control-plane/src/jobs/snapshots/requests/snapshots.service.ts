import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ulid } from 'ulid';

import type { AgentDatabase } from '../../../agents/agent-work/connections/agent-database.js';
import type { WorkWarning } from '../../../agents/agent-work/choice/waiting-warnings.js';
import { AgentPlacement } from '../../../agents/agent-work/choice/agent-placement.js';
import type { WorkEligibility } from '../../../agents/agent-work/choice/agent-requirement.js';
import { toState } from '../../../agents/agent-work/leases/work-columns.js';
import { DISPATCH_TOPIC } from '../../../agents/agent-work/leases/work-offers.js';
import { advance, isWaiting } from '../../../agents/agent-work/leases/work-state.js';
import { AgentsService } from '../../../agents/registry/agents.service.js';
import { auditRequest } from '../../../platform/audit-log/insert-audit-entry.js';
import { noSuch } from '../../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../../platform/http/pipeline/caller-request.js';
import type { Deleted } from '../../../platform/http/operations/schemas.js';
import type { Paged } from '../../../platform/http/dto/page.dto.js';
import { OutboxService } from '../../../platform/job-queue/outbox.service.js';
import { databaseNow } from '../../../platform/persistence/database-values.js';
import { findPage } from '../../../platform/persistence/find-page.js';
import { QuotasService } from '../../../accounts/usage/quotas.service.js';
import { acceptSnapshot, type AcceptedSnapshot } from './accept-snapshot.js';
import type { CreateSnapshotDto } from './create-snapshot.dto.js';
import { snapshotFilter, type ListSnapshotsQuery } from './list-snapshots.query.js';
import { SnapshotRows } from '../snapshot-rows.js';
import { RestoreStore } from '../restores/restore-store.js';
import { SnapshotDeletionsService } from '../deletions/snapshot-deletions.service.js';
import {
  toListedSnapshot,
  toSnapshotResponse,
  type ListedSnapshot,
  type SnapshotResponse,
} from './snapshot-response.js';
import { isUnwanted } from '../snapshot-status.js';
import { refusedDeletionWarnings, waitingSnapshotWarnings } from './snapshot-warnings.js';
import { SnapshotEntity } from '../snapshot.entity.js';

/**
 * Manages the snapshots of callers. Every query is restricted to one organisation; snapshots of others are
 * not found.
 */
@Injectable()
export class SnapshotsService {
  private readonly logger = new Logger(SnapshotsService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: SnapshotRows,
    private readonly restores: RestoreStore,
    private readonly deletions: SnapshotDeletionsService,
    private readonly placement: AgentPlacement,
    private readonly agents: AgentsService,
    private readonly quotas: QuotasService,
    private readonly outbox: OutboxService,
  ) {}

  /**
   * Creates a snapshot. Row, outbox entry and quota are written in one transaction, which is committed when
   * the promise resolves.
   * @throws ApiError `validation_error`, `quota_exceeded`, or `conflict` in the cases that
   * {@link AgentPlacement.place} lists
   */
  async create(request: CallerRequest, dto: CreateSnapshotDto, now = new Date()): Promise<SnapshotResponse> {
    const { organizationId } = request.caller;
    const accepted = acceptSnapshot(dto, now);
    const id = `snap_${ulid()}`;
    const placed = await this.placement.place({
      ...{ organizationId, id, selector: dto.agent, snapshots: {} },
      databases: { source: accepted.database },
    });
    await this.insert(request, { id, name: dto.name, createdAt: now }, accepted, placed);
    this.outbox.wake();
    this.logger.log({ request_id: request.id, job_id: id, msg: 'accepted' });
    return this.get(organizationId, id);
  }

  /** @throws ApiError `not_found` */
  async get(organizationId: string, id: string): Promise<SnapshotResponse> {
    const snapshot = await this.dataSource.manager.findOneBy(SnapshotEntity, { id, organizationId });
    if (snapshot === null) throw noSuch('snapshot');
    return toSnapshotResponse(snapshot, await this.warningsOf(snapshot));
  }

  /** Returns a page of the snapshots that match, newest first. A page past the end is empty. */
  async list(organizationId: string, query: ListSnapshotsQuery): Promise<Paged<'snapshots', ListedSnapshot>> {
    const { rows, ...page } = await findPage(this.dataSource.manager, SnapshotEntity, query, {
      where: { organizationId, ...snapshotFilter(query) },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    const listed = rows.map(toListedSnapshot);
    return {
      snapshots: query.tables === 'none' ? listed.map((snapshot) => ({ ...snapshot, tables: [] })) : listed,
      ...page,
    };
  }

  /**
   * Deletes a snapshot. It cannot be restored any more and does not count for the plan. Its status is
   * `deleting` until an agent has erased the archive. If no archive is stored, the row is deleted
   * immediately. A repeated call has no effect.
   * @throws ApiError `not_found`
   */
  async delete(request: CallerRequest, id: string, now = new Date()): Promise<Deleted> {
    await this.store.transaction(async (manager) => {
      const row = await this.store.lock(manager, id, request.caller.organizationId);
      if (row === null) throw noSuch('snapshot');
      if (row.deleteRequestedAt !== null) return;
      await this.restores.endWaiting(manager, row);
      const state = advance(toState(row), { type: 'cancel_requested' }, { now: await databaseNow(manager) });
      await this.store.write(manager, row, { state, deleteRequestedAt: now });
      const details = { name: row.name, database: row.databaseDisplay };
      await auditRequest(manager, request, { now, action: 'snapshot.deleted', targetId: id, details });
    });
    return { deleted: true, id };
  }

  /** Returns why a snapshot is not being created or erased now. */
  private async warningsOf(snapshot: SnapshotEntity): Promise<readonly WorkWarning[]> {
    if (isUnwanted(snapshot)) return refusedDeletionWarnings(await this.deletions.refusalOf(snapshot));
    if (!isWaiting(snapshot)) return [];
    return waitingSnapshotWarnings(snapshot, await this.agents.liveAgents(snapshot.organizationId));
  }

  private async insert(
    request: CallerRequest,
    { id, name, createdAt }: Pick<SnapshotEntity, 'id' | 'name' | 'createdAt'>,
    { database: { name: databaseDisplay }, tables, expiresAt }: AcceptedSnapshot,
    { databases, requires, sealedTo }: WorkEligibility & { databases: { source: AgentDatabase } },
  ): Promise<void> {
    const { organizationId } = request.caller;
    await this.dataSource.transaction(async (manager) => {
      await this.quotas.take(manager, request.caller, 'snapshots', createdAt);
      await manager.insert(SnapshotEntity, {
        ...{ id, organizationId, name, createdAt, expiresAt },
        ...{ database: databases.source, databaseDisplay, askedTables: tables, tables },
        requires: requires as object,
        sealedTo: sealedTo && [...sealedTo],
        status: 'pending',
      });
      await this.outbox.write(manager, DISPATCH_TOPIC, id);
      await auditRequest(manager, request, {
        now: createdAt,
        action: 'snapshot.created',
        targetId: id,
        details: { name, database: databaseDisplay, expires_at: expiresAt.toISOString() },
      });
    });
  }
}
