import type { MigrationInterface, QueryRunner } from 'typeorm';

import { ADD_DELETION_REFUSALS, DROP_DELETION_REFUSALS } from './snapshot-deletion-refusals.sql.js';

export class SnapshotDeletionRefusals1764010000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of ADD_DELETION_REFUSALS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_DELETION_REFUSALS) await runner.query(statement);
  }
}
