import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_SYNC_JOB_PREDICTION, DROP_SYNC_JOB_PREDICTION } from './sync-job-prediction.sql.js';

export class SyncJobPrediction1763912000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_SYNC_JOB_PREDICTION) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_SYNC_JOB_PREDICTION) await runner.query(statement);
  }
}
