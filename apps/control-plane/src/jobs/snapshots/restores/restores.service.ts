import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ulid } from 'ulid';

import { AgentLinkUnavailableError } from '../../../agents/agent-link/connection/nats-connections.js';
import { AgentPrechecks } from '../../../agents/agent-link/receiving/agent-prechecks.js';
import { toCommandDatabase } from '../../../agents/agent-work/connections/agent-database.js';
import { AgentPlacement } from '../../../agents/agent-work/choice/agent-placement.js';
import { mismatchOf } from '../../../agents/agent-work/choice/agent-requirement.js';
import { DISPATCH_TOPIC } from '../../../agents/agent-work/leases/work-offers.js';
import { AgentsService } from '../../../agents/registry/agents.service.js';
import { auditRequest } from '../../../platform/audit-log/insert-audit-entry.js';
import { Configuration } from '../../../platform/config/configuration.js';
import { ApiError, noSuch, validationError } from '../../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../../platform/http/pipeline/caller-request.js';
import type { Paged, PageQuery } from '../../../platform/http/dto/page.dto.js';
import { OutboxService } from '../../../platform/job-queue/outbox.service.js';
import { findPage } from '../../../platform/persistence/find-page.js';
import { readDatabaseName, type NamedDatabase } from '../requests/database-name.js';
import { SnapshotRows } from '../snapshot-rows.js';
import { assertRestorable, refusalOf } from './restore-refusal.js';
import {
  toAcceptedRestore,
  toRestoreResponse,
  type AcceptedRestore,
  type RestoreResponse,
} from './restore-response.js';
import type { RestoreSnapshotDto } from './restore-snapshot.dto.js';
import { SnapshotRestoreEntity } from './snapshot-restore.entity.js';
import { SnapshotEntity } from '../snapshot.entity.js';

/** Manages the restores of snapshots. */
@Injectable()
export class RestoresService {
  private readonly logger = new Logger(RestoresService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: SnapshotRows,
    private readonly placement: AgentPlacement,
    private readonly agents: AgentsService,
    private readonly prechecks: AgentPrechecks,
    private readonly outbox: OutboxService,
    private readonly configuration: Configuration,
  ) {}

  /**
   * Asks an agent of the snapshot's store for blockers. If the agent reports none, the control plane stores
   * the restore. The restore is committed when the promise resolves.
   * @throws ApiError `not_found`, `validation_error` for an invalid or unsuitable target, `conflict` for a
   * blocker in the snapshot or the target, `unavailable` if no agent responds in time
   */
  async restore(
    request: CallerRequest,
    snapshotId: string,
    dto: RestoreSnapshotDto,
  ): Promise<AcceptedRestore> {
    const { organizationId } = request.caller;
    const snapshot = await this.dataSource.manager.findOneBy(SnapshotEntity, {
      id: snapshotId,
      organizationId,
    });
    if (snapshot === null) throw noSuch('snapshot');
    const database = targetOf(dto, snapshot);
    const made = assertRestorable(snapshot, new Date());
    const id = `rst_${ulid()}`;
    const { databases, requires, sealedTo } = await this.placement.place({
      ...{ organizationId, id, selector: dto.agent, snapshots: { store: made.store } },
      databases: { target: database },
    });
    const restore = Object.assign(new SnapshotRestoreEntity(), {
      ...{ id, organizationId, snapshotId, requires, sealedTo, targetDisplay: database.name },
      target: databases.target,
      overwrite: dto.overwrite ?? false,
      status: 'pending',
    } as const);
    await this.precheck(restore, made.epoch);
    await this.insert(request, restore);
    this.outbox.wake();
    this.logger.log({ request_id: request.id, job_id: id, msg: 'accepted' });
    return toAcceptedRestore(restore);
  }

  /** @throws ApiError `not_found` */
  async get(organizationId: string, snapshotId: string, id: string): Promise<RestoreResponse> {
    const where = { id, snapshotId, organizationId };
    const restore = await this.dataSource.manager.findOneBy(SnapshotRestoreEntity, where);
    if (restore === null) throw noSuch('restore');
    return toRestoreResponse(restore);
  }

  /**
   * Returns a page of the restores of a snapshot, newest first. A page past the end is empty.
   * @throws ApiError `not_found` for an unknown snapshot
   */
  async list(
    organizationId: string,
    snapshotId: string,
    query: PageQuery,
  ): Promise<Paged<'restores', RestoreResponse>> {
    const { manager } = this.dataSource;
    if (!(await manager.existsBy(SnapshotEntity, { id: snapshotId, organizationId })))
      throw noSuch('snapshot');
    const { rows, ...page } = await findPage(manager, SnapshotRestoreEntity, query, {
      where: { snapshotId, organizationId },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return { restores: rows.map(toRestoreResponse), ...page };
  }

  private async precheck(restore: SnapshotRestoreEntity, snapshotEpoch: number): Promise<void> {
    const agentId = await this.agentFor(restore);
    if (agentId === undefined) throw noAgentResponded();
    const request = {
      restoreId: restore.id,
      snapshotId: restore.snapshotId,
      snapshotEpoch,
      target: toCommandDatabase(restore.target, agentId, restore.requires),
      overwrite: restore.overwrite,
    };
    const { precheckTimeoutMs } = this.configuration.snapshots;
    const blocker = await this.prechecks
      .checkRestore(agentId, request, precheckTimeoutMs)
      .catch((error: unknown) => {
        throw error instanceof AgentLinkUnavailableError ? noAgentResponded(error) : error;
      });
    if (blocker !== undefined) throw refusalOf(blocker);
  }

  /** Returns the eligible live agent with the most free slots. */
  private async agentFor(restore: SnapshotRestoreEntity): Promise<string | undefined> {
    const live = await this.agents.liveAgents(restore.organizationId);
    return live.find((agent) => mismatchOf(agent, restore) === undefined)?.id;
  }

  /**
   * Checks the snapshot again and stores the restore. The second check is necessary, because the snapshot may
   * have expired or been deleted during the pre-check.
   */
  private async insert(request: CallerRequest, restore: SnapshotRestoreEntity): Promise<void> {
    const { snapshotId, organizationId, targetDisplay, overwrite } = restore;
    await this.dataSource.transaction(async (manager) => {
      const now = new Date();
      const snapshot = await this.store.lock(manager, snapshotId, organizationId);
      if (snapshot === null) throw noSuch('snapshot');
      assertRestorable(snapshot, now);
      await manager.insert(SnapshotRestoreEntity, { ...restore, createdAt: now });
      await this.outbox.write(manager, DISPATCH_TOPIC, restore.id);
      await auditRequest(manager, request, {
        now,
        action: 'snapshot.restored',
        targetId: snapshotId,
        details: { restore_id: restore.id, target_database: targetDisplay, overwrite },
      });
    });
  }
}

/** @throws ApiError `validation_error`, or `conflict` if the target is the source database of the snapshot */
function targetOf({ target_database }: RestoreSnapshotDto, { database }: SnapshotEntity): NamedDatabase {
  const read = readDatabaseName(target_database);
  if ('problem' in read) throw validationError([{ field: 'target_database', message: read.problem }]);
  if (read.kind === 'agent' && database.kind === 'agent' && read.name === database.name)
    throw refusalOf({ code: 'same_database' });
  return read;
}

function noAgentResponded(cause?: Error): ApiError {
  return new ApiError(
    'unavailable',
    'No agent that stores this snapshot responded to the pre-check. Nothing was changed. Try again when such an agent is connected.',
    { retryAfterSeconds: 5, ...(cause === undefined ? {} : { cause }) },
  );
}
