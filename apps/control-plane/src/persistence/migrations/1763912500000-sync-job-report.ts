import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_SYNC_JOB_REPORT, DROP_SYNC_JOB_REPORT } from './sync-job-report.sql.js';

export class SyncJobReport1763912500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_SYNC_JOB_REPORT) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_SYNC_JOB_REPORT) await runner.query(statement);
  }
}
