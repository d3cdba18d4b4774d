import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the job that a job repeats. Existing jobs repeat none. */
export class RepeatedJobs1765100000130 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sync_jobs ADD COLUMN run_of text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sync_jobs DROP COLUMN run_of');
  }
}
