import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_TARGET_CLEARANCES, DROP_TARGET_CLEARANCES } from './target-clearances.sql.js';

export class TargetClearances1763917000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_TARGET_CLEARANCES) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_TARGET_CLEARANCES) await runner.query(statement);
  }
}
