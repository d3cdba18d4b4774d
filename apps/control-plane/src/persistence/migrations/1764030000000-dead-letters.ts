import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_DEAD_LETTERS, DROP_DEAD_LETTERS } from './dead-letters.sql.js';

export class DeadLetters1764030000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_DEAD_LETTERS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_DEAD_LETTERS) await runner.query(statement);
  }
}
