import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys in `meta` of the first answer, such as its warnings; null of answers without any. */
export class IdempotencyMeta1764060002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE idempotency_keys ADD COLUMN meta json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE idempotency_keys DROP COLUMN meta');
  }
}
