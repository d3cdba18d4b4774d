import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_INITIAL_SCHEMA, DROP_INITIAL_SCHEMA } from './initial-schema.sql.js';

export class InitialSchema1763690400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_INITIAL_SCHEMA) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_INITIAL_SCHEMA) await runner.query(statement);
  }
}
