import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_MODEL_ERASURES, DROP_MODEL_ERASURES } from './model-erasures.sql.js';

export class ModelErasures1763900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_MODEL_ERASURES) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_MODEL_ERASURES) await runner.query(statement);
  }
}
