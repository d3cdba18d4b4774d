import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_SNAPSHOTS, DROP_SNAPSHOTS } from './snapshots.sql.js';

export class Snapshots1763915000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_SNAPSHOTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_SNAPSHOTS) await runner.query(statement);
  }
}
