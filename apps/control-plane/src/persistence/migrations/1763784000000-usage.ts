import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_USAGE, DROP_USAGE } from './usage.sql.js';

export class Usage1763784000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_USAGE) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_USAGE) await runner.query(statement);
  }
}
