import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Allows a webhook to be disabled because its receiver is gone. */
export class GoneReceivers1765100000089 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await allowReasons(runner, "'failing', 'gone', 'manual'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      "UPDATE webhook_endpoints SET disabled_reason = 'failing' WHERE disabled_reason = 'gone'",
    );
    await allowReasons(runner, "'failing', 'manual'");
  }
}

async function allowReasons(runner: QueryRunner, reasons: string): Promise<void> {
  await runner.query(`
    ALTER TABLE webhook_endpoints DROP CONSTRAINT webhook_endpoints_reason_known,
      ADD CONSTRAINT webhook_endpoints_reason_known CHECK (disabled_reason IN (${reasons}))`);
}
