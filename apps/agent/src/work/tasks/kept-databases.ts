import { Controller, Inject, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import {
  encodeKeptDatabaseDropped,
  encodeReverted,
  type KeptDatabaseDrop,
  type ReplacementRevert,
} from '@understudy/agent-protocol';
import { dropKept, keptName, revertTarget } from '@understudy/database-swap';
import { type ConnectionTarget, errorDetail } from '@understudy/postgres';
import { announceSteps, failureOf, type SyncSettings } from '@understudy/sync-engine';
import { isRetryable, type SyncFailureCode } from '@understudy/sync-job';

import { SYNC_SETTINGS } from '../../config/configuration.module.js';
import { EventDelivery } from '../../link/event-delivery.js';
import { Policy } from '../../policy/policy.js';
import { DatabaseReferences } from '../jobs/database-references.js';
import { nestEngineLog } from '../../sync/sync.module.js';

/**
 * Drops databases that were kept after a replacement, and brings them back. Runs after the command is acknowledged, so
 * that a slow server does not delay other commands. The control plane repeats each command until it receives the report.
 */
@Controller()
export class KeptDatabases implements BeforeApplicationShutdown {
  private readonly logger = new Logger(KeptDatabases.name);
  /** Running tasks by the id of the change or revert. */
  private readonly running = new Map<string, Promise<void>>();
  private readonly stop = new AbortController();
  private readonly log = nestEngineLog(this.logger);

  constructor(
    private readonly delivery: EventDelivery,
    private readonly databases: DatabaseReferences,
    private readonly policy: Policy,
    @Inject(SYNC_SETTINGS) private readonly settings: Pick<SyncSettings, 'lockWaitMs'>,
  ) {}

  @EventPattern('drop_kept_database')
  beginDrop(@Payload() drop: KeptDatabaseDrop): void {
    this.begin(drop.changeId, () => this.drop(drop));
  }

  @EventPattern('revert_replacement')
  beginRevert(@Payload() revert: ReplacementRevert): void {
    this.begin(revert.revertId, () => this.revert(revert));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.running.values());
  }

  private begin(id: string, work: () => Promise<void>): void {
    if (this.running.has(id)) return;
    this.running.set(
      id,
      work()
        .catch((error: unknown) => this.logger.warn({ detail: errorDetail(error) }, `${id} is not reported`))
        .finally(() => this.running.delete(id)),
    );
  }

  /** Drops a database and reports it. Logs a failure. Never rejects. */
  private async drop({ workId, changeId, target }: KeptDatabaseDrop): Promise<void> {
    const reached = announceSteps(this.log);
    try {
      const resolved = await this.resolve(workId, target);
      await reached('before_commit');
      const code = await dropKept(resolved, changeId);
      await reached('committed');
      await this.delivery.deliver((seq) => encodeKeptDatabaseDropped(seq, { changeId, code }, new Date()));
      await reached('reported');
      const left = { code, database: keptName(resolved.database, changeId) };
      if (code === undefined)
        this.logger.log(`${workId}: the database that it replaced is not kept any more`);
      else this.logger.warn(left, `${workId}: a database cannot be dropped, so it is left`);
    } catch (error) {
      this.logger.warn({ detail: errorDetail(error) }, `${workId}: a kept database could not be dropped`);
    }
  }

  /** Swaps two databases and reports the end. After a retryable failure, the control plane sends the command again. */
  private async revert(revert: ReplacementRevert): Promise<void> {
    const { revertId, attempt: epoch, workId, lastChangeId: lastChange } = revert;
    const { signal } = this.stop;
    const { lockWaitMs: graceMs = WAIT_MS } = this.settings;
    const endsSessions = revert.endSessions && this.policy.rules.allowEndSessions;
    const request = { revertId, epoch, lastChange, graceMs, signal, endsSessions, log: this.log };
    const reached = announceSteps(this.log);
    let code: SyncFailureCode | undefined;
    try {
      const target = await this.resolve(workId, revert.target);
      await revertTarget(target, { ...request, reached });
      this.logger.log(`${workId}: reverted (${revertId})`);
    } catch (error) {
      const failure = failureOf(error, signal);
      this.logger.warn({ failure, detail: errorDetail(error) }, `${workId}: ${revertId} failed`);
      if (isRetryable(failure)) return;
      code = failure.code;
    }
    await this.delivery.deliver((seq) =>
      encodeReverted(seq, { revertId, ...(code && { code }) }, new Date()),
    );
    await reached('reported');
  }

  private async resolve(workId: string, target: KeptDatabaseDrop['target']): Promise<ConnectionTarget> {
    const reference = await this.databases.open(target, { jobId: workId, field: 'target' });
    return this.policy.resolveDatabase(reference, workId.startsWith('rst_') ? 'restore' : 'replace');
  }
}

/** How long a revert waits for other sessions, unless the settings have another time. */
const WAIT_MS = 600_000;
