import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The text that an upload is named; null of earlier uploads, whose name is that of their id. */
export class ModelDisplayNames1764060001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE custom_models ADD COLUMN display_name text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE custom_models DROP COLUMN display_name');
  }
}
