import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_SYNC_JOB_CANCEL, DROP_SYNC_JOB_CANCEL } from './sync-job-cancel.sql.js';

export class SyncJobCancel1763910000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_SYNC_JOB_CANCEL) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_SYNC_JOB_CANCEL) await runner.query(statement);
  }
}
