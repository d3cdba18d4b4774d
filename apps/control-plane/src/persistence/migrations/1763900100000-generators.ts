import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_GENERATORS, DROP_GENERATORS } from './generators.sql.js';

export class Generators1763900100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_GENERATORS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_GENERATORS) await runner.query(statement);
  }
}
