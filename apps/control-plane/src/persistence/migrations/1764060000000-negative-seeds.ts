import type { MigrationInterface, QueryRunner } from 'typeorm';

import { ALLOW_NEGATIVE_SEEDS, REFUSE_NEGATIVE_SEEDS } from './negative-seeds.sql.js';

export class NegativeSeeds1764060000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of ALLOW_NEGATIVE_SEEDS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of REFUSE_NEGATIVE_SEEDS) await runner.query(statement);
  }
}
