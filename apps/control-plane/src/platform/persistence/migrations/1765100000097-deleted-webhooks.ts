import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds what remains to be done after a webhook is deleted or disabled, because it can have many deliveries. */
export class DeletedWebhooks1765100000097 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE webhook_endpoints ADD COLUMN deleted_at timestamptz, ADD COLUMN fails_through bigint',
    );
    await runner.query(
      'CREATE INDEX webhook_endpoints_deleted ON webhook_endpoints (id) WHERE deleted_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM webhook_endpoints WHERE deleted_at IS NOT NULL');
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN deleted_at, DROP COLUMN fails_through');
  }
}
