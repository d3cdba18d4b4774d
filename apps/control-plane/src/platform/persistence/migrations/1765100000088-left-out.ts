import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the numbers of objects that a job left out. */
export class LeftOut1765100000088 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sync_jobs ADD COLUMN left_out jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sync_jobs DROP COLUMN left_out');
  }
}
