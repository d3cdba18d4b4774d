import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_WEBHOOKS, DROP_WEBHOOKS } from './webhooks.sql.js';

export class Webhooks1763914000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_WEBHOOKS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_WEBHOOKS) await runner.query(statement);
  }
}
