import type { MigrationInterface, QueryRunner } from 'typeorm';

import { ADD_INDEXES_OF_LISTS, DROP_INDEXES_OF_LISTS } from './indexed-lists.sql.js';

export class IndexedLists1764051000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of ADD_INDEXES_OF_LISTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_INDEXES_OF_LISTS) await runner.query(statement);
  }
}
