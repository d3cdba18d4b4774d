import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

import { Configuration, type RetentionConfiguration } from '../config/configuration.js';
import { RepeatingService } from '../job-queue/repeating-task.js';
import { USAGE_KEEP_DAYS } from '../usage/get-usage.query.js';
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
  private readonly settings: RetentionConfiguration;
  private isStopping = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    { retention }: Configuration,
  ) {
    super(retention.sweepMs);
    this.settings = retention;
  }

  override async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    await super.onModuleDestroy();
  }

  protected runTask(): Promise<void> {
    return this.sweep();
  }

  async sweep(): Promise<void> {
    const { auditDays, endedDays, batch } = this.settings;
    await this.repeat(async (manager) => {
      // In this transaction, the trigger of the audit log allows the deletion of entries older than
      // `auditDays`.
      await manager.query(`SELECT set_config('understudy.audit_keep_days', $1, true)`, [String(auditDays)]);
      return affected(manager, FORGET_AUDIT_ENTRIES, [auditDays, batch]);
    });
    await this.repeat((manager) => affected(manager, FORGET_AUDIT_SUBJECTS, [batch]));
    await this.repeat((manager) => affected(manager, FORGET_OIDC_SIGN_INS, [batch]));
    await this.repeat((manager) => affected(manager, FORGET_USAGE_DAYS, [USAGE_KEEP_DAYS, batch]));
    for (const statement of FORGET_ENDED)
      await this.repeat((manager) => affected(manager, statement, [endedDays, batch]));
  }

  private async repeat(step: Step): Promise<void> {
    let rows: number;
    do rows = await this.dataSource.transaction(step);
    while (rows >= this.settings.batch && !this.isStopping);
  }
}

async function affected(
  manager: EntityManager,
  statement: string,
  values: readonly unknown[],
): Promise<number> {
  const [, count] = await manager.query<[unknown[], number]>(statement, [...values]);
  return count;
}
