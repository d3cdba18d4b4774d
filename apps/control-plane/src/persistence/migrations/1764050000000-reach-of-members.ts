import type { MigrationInterface, QueryRunner } from 'typeorm';

import { ADD_REACH_OF_MEMBERS, DROP_REACH_OF_MEMBERS } from './reach-of-members.sql.js';

export class ReachOfMembers1764050000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of ADD_REACH_OF_MEMBERS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_REACH_OF_MEMBERS) await runner.query(statement);
  }
}
