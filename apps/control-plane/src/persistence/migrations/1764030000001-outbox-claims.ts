import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A relay claims rows for a while instead of locking them while it waits for Redis. */
export class OutboxClaims1764030000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox ADD COLUMN claimed_until timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox DROP COLUMN claimed_until');
  }
}
