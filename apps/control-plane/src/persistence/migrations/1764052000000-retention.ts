import type { MigrationInterface, QueryRunner } from 'typeorm';

import { ADD_RETENTION, DROP_RETENTION } from './retention.sql.js';

export class Retention1764052000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of ADD_RETENTION) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_RETENTION) await runner.query(statement);
  }
}
