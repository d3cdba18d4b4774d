import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_MEMBERS, DROP_MEMBERS } from './members.sql.js';

export class Members1763780400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_MEMBERS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_MEMBERS) await runner.query(statement);
  }
}
