import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { Configuration } from '../platform/config/configuration.js';
import { RepeatingService } from '../platform/job-queue/repeating-task.js';
import { runEach } from '../platform/job-queue/run-each.js';
import { changedRows } from '../platform/persistence/statements.js';
import { USAGE_KEEP_DAYS } from '../accounts/usage/get-usage.query.js';
import {
  FORGET_AUDIT_ENTRIES,
  FORGET_AUDIT_SUBJECTS,
  FORGET_ENDED,
  FORGET_OIDC_SIGN_INS,
  FORGET_USAGE_DAYS,
} from './retention-rules.sql.js';

type Step = (manager: EntityManager) => Promise<number>;

/**
 * Runs the retention statements, each on a limited number of rows in each transaction. Several processes may
 * run them concurrently.
 */
@Injectable()
export class RetentionService extends RepeatingService {
  private readonly settings: Configuration['retention'];

  constructor(
    private readonly dataSource: DataSource,
    { retention }: Configuration,
  ) {
    super(retention.sweepMs);
    this.settings = retention;
  }

  protected runTask(): Promise<void> {
    return this.sweep();
  }

  /** A failed step does not stop the others. @throws the first failure */
  async sweep(): Promise<void> {
    const { auditDays, endedDays, batch } = this.settings;
    const steps: readonly Step[] = [
      async (manager) => {
        // In this transaction, the trigger of the audit log allows the deletion of entries older than
        // `auditDays`.
        await manager.query(`SELECT set_config('understudy.audit_keep_days', $1, true)`, [String(auditDays)]);
        return changedRows(manager, FORGET_AUDIT_ENTRIES, [auditDays, batch]);
      },
      (manager) => changedRows(manager, FORGET_AUDIT_SUBJECTS, [batch]),
      (manager) => changedRows(manager, FORGET_OIDC_SIGN_INS, [batch]),
      (manager) => changedRows(manager, FORGET_USAGE_DAYS, [USAGE_KEEP_DAYS, batch]),
      ...FORGET_ENDED.map(
        (statement): Step =>
          (manager) =>
            changedRows(manager, statement, [endedDays, batch]),
      ),
    ];
    await runEach(steps, (step) => this.inBatches(batch, () => this.dataSource.transaction(step)), 1);
  }
}
