import { Injectable, Logger } from '@nestjs/common';
import type {
  MadeSnapshot,
  RestoreEvent,
  RestoreReport,
  SnapshotEvent,
  SnapshotReport,
} from '@understudy/agent-protocol';
import { isRetryable, writeTableName } from '@understudy/sync-job';
import type { EntityManager } from 'typeorm';

import {
  outcomeOf,
  applyReport,
  type Outcome,
  type Report,
} from '../../../agents/agent-work/leases/apply-report.js';
import { toState } from '../../../agents/agent-work/leases/work-columns.js';
import { WorkOffers } from '../../../agents/agent-work/leases/work-offers.js';
import { isEnded, isWaiting, type JobError } from '../../../agents/agent-work/leases/work-state.js';
import { AgentsService } from '../../../agents/registry/agents.service.js';
import { Configuration } from '../../../platform/config/configuration.js';
import { databaseNow } from '../../../platform/persistence/database-values.js';
import { KeptDatabasesService } from '../../kept-databases/kept-databases.service.js';
import { RestoreStore, type RestoreChange } from '../restores/restore-store.js';
import { SnapshotDeletionsService } from '../deletions/snapshot-deletions.service.js';
import { progressAfter, progressAtEnd, RESTORE_PHASES, SNAPSHOT_PHASES } from './snapshot-progress.js';
import { SnapshotRows, type SnapshotChange } from '../snapshot-rows.js';
import { restoreError, snapshotError } from './snapshot-errors.js';
import type { SnapshotEntity } from '../snapshot.entity.js';

/**
 * Writes the events of agents about snapshots and restores to PostgreSQL. Each event takes effect exactly
 * once.
 */
@Injectable()
export class SnapshotEventsService {
  private readonly logger = new Logger(SnapshotEventsService.name);

  constructor(
    private readonly snapshots: SnapshotRows,
    private readonly restores: RestoreStore,
    private readonly deletions: SnapshotDeletionsService,
    private readonly agents: AgentsService,
    private readonly offers: WorkOffers,
    private readonly configuration: Configuration,
    private readonly kept: KeptDatabasesService,
  ) {}

  /** Applies an event, and resolves after the commit. An event of an unknown snapshot is `stale`. */
  async applyToSnapshot(event: SnapshotEvent, agentId: string): Promise<Outcome> {
    const { snapshotId: id, body } = event;
    const { outcome, waits } = await this.snapshots.transaction(async (manager) => {
      const row = await this.snapshots.lock(manager, id);
      const outcome = row === null ? 'stale' : outcomeOf(toState(row), event, agentId);
      if (row === null || outcome !== 'applied') {
        if (body.type === 'ready') await this.deleteOrphan(manager, row, event, body.made, agentId);
        return { outcome, waits: false };
      }
      const result = resultOf(body, (failure) => snapshotError(failure, row.askedTables));
      const { state } = applyReport(
        toState(row),
        { ...event, result },
        await this.context(manager, agentId, row.createdAt),
      );
      await this.snapshots.write(manager, row, { state, ...snapshotChange(row, event) });
      return { outcome, waits: body.type === 'failed' && isWaiting(state) };
    });
    this.logOutcome(id, agentId, event.epoch, body.type, outcome);
    if (waits) await this.offers.offer([id]);
    return outcome;
  }

  /** Applies an event, and resolves after the commit. An event of an unknown restore is `stale`. */
  async applyToRestore(event: RestoreEvent, agentId: string): Promise<Outcome> {
    const { restoreId: id, body } = event;
    const { outcome, waits } = await this.restores.transaction(async (manager) => {
      const locked = await this.restores.lock(manager, id);
      const outcome = locked ? outcomeOf(toState(locked.row), event, agentId) : 'stale';
      if (!locked || outcome !== 'applied') return { outcome, waits: false };
      const { row } = locked;
      const report = { ...event, result: resultOf(body, restoreError) };
      const context = await this.context(manager, agentId, row.createdAt);
      const { state } = applyReport(toState(row), report, context);
      await this.restores.write(manager, locked, { state, ...restoreChange(row.progress, body) });
      if (body.type === 'completed' && body.isReplacedAgain !== true) {
        const end = { keptHours: body.keptHours, replacedAt: state.completedAt, now: context.now };
        await this.kept.replaced(manager, row, end);
      }
      return { outcome, waits: body.type === 'failed' && isWaiting(state) };
    });
    this.logOutcome(id, agentId, event.epoch, body.type, outcome);
    if (waits) await this.offers.offer([id]);
    return outcome;
  }

  /**
   * Requests the erasure of an archive that no snapshot uses. An agent can store such an archive after it has
   * lost the lease, or after the snapshot was deleted.
   * @param row null if the snapshot is unknown
   */
  private async deleteOrphan(
    manager: EntityManager,
    row: SnapshotEntity | null,
    { snapshotId, epoch }: SnapshotEvent,
    { store }: MadeSnapshot,
    agentId: string,
  ): Promise<void> {
    const organizationId = await this.agents.organizationOf(agentId);
    if (organizationId === undefined || !isOrphan(row, organizationId, epoch)) return;
    const beforeEpoch = row === null ? 0 : epoch + 1;
    await this.deletions.request(manager, { organizationId, snapshotId, store, beforeEpoch });
  }

  private async context(manager: EntityManager, agentId: string, createdAt: Date) {
    const { maxAttempts, maxLostLeases } = this.configuration.syncJobs;
    return { agentId, createdAt, maxAttempts, maxLostLeases, now: await databaseNow(manager) };
  }

  private logOutcome(id: string, agentId: string, epoch: number, type: string, outcome: Outcome): void {
    if (outcome !== 'applied' || type === 'started' || type === 'progress') return;
    this.logger.log({ job_id: id, agent_id: agentId, epoch, msg: `reported ${type}` });
  }
}

/**
 * Returns whether no snapshot uses the archive of an attempt. The archives of the successful and of the
 * running attempt always count as used.
 */
function isOrphan(row: SnapshotEntity | null, organizationId: string, epoch: number): boolean {
  if (row === null) return true;
  if (row.organizationId !== organizationId || epoch > row.epoch) return false;
  if (row.made !== null) return epoch < row.made.epoch;
  return epoch < row.epoch || isEnded(row.status);
}

function resultOf(
  body: SnapshotReport | RestoreReport,
  errorOf: (failure: Extract<SnapshotReport, { type: 'failed' }>['failure']) => JobError,
): Report['result'] {
  if (body.type === 'ready' || body.type === 'completed') return { type: 'completed' };
  if (body.type !== 'failed') return { type: 'alive' };
  const { failure } = body;
  return { type: 'failed', failure: { error: errorOf(failure), isRetryable: isRetryable(failure) } };
}

function snapshotChange(row: SnapshotEntity, { epoch, body }: SnapshotEvent): SnapshotChange {
  if (body.type === 'failed') return { progress: progressAtEnd(row.progress, undefined) };
  if (body.type !== 'ready') return { progress: progressAfter(row.progress, body, SNAPSHOT_PHASES) };
  const { sizeBytes, tables, tableCount, store, manifestHash, format, serverVersion } = body.made;
  const named = tables.map(({ schema, name }) => writeTableName({ schema, table: name }));
  return {
    sizeBytes,
    made: { epoch, store, manifestHash, tableCount, format, serverVersion },
    tables: row.askedTables.length > 0 ? row.askedTables : named,
    progress: progressAtEnd(row.progress, undefined),
  };
}

function restoreChange(known: SnapshotEntity['progress'], body: RestoreReport): RestoreChange {
  if (body.type === 'failed') return { progress: progressAtEnd(known, undefined) };
  if (body.type === 'completed') return { progress: progressAtEnd(known, body.counts) };
  return { progress: progressAfter(known, body, RESTORE_PHASES) };
}
