import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the format of a webhook's bodies. Existing webhooks keep the standard one. */
export class WebhookFormats1765100000120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints ADD COLUMN format text NOT NULL DEFAULT 'standard'
        CONSTRAINT webhook_endpoints_format CHECK (format IN ('standard', 'slack', 'teams'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN format');
  }
}
