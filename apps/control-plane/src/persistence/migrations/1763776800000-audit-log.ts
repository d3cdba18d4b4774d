import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_AUDIT_LOG, DROP_AUDIT_LOG } from './audit-log.sql.js';

export class AuditLog1763776800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_AUDIT_LOG) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_AUDIT_LOG) await runner.query(statement);
  }
}
