import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an agent's checks found, as the job's owner is told. */
export class SyncJobProblems1763911001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sync_jobs ADD COLUMN error_details jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sync_jobs DROP COLUMN error_details`);
  }
}
