import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_IDEMPOTENCY_KEYS, DROP_IDEMPOTENCY_KEYS } from './idempotency-keys.sql.js';

export class IdempotencyKeys1763910001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_IDEMPOTENCY_KEYS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_IDEMPOTENCY_KEYS) await runner.query(statement);
  }
}
