import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the URL and the headers of the last attempt to each webhook delivery. Null for earlier attempts. */
export class WebhookRequests1765000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries ADD COLUMN last_request jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries DROP COLUMN last_request');
  }
}
