import type { MigrationInterface, QueryRunner } from 'typeorm';

import { FORGET_SERVER_AS_ACTOR, KNOW_SERVER_AS_ACTOR } from './audit-server.sql.js';

export class AuditServer1763916000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(KNOW_SERVER_AS_ACTOR);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(FORGET_SERVER_AS_ACTOR);
  }
}
