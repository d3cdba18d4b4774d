import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_CUSTOM_MODELS, DROP_CUSTOM_MODELS } from './custom-models.sql.js';

export class CustomModels1763866800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_CUSTOM_MODELS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_CUSTOM_MODELS) await runner.query(statement);
  }
}
