import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds an index with which the audit log finds the entries of a request. */
export class AuditRequests1765000000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX audit_entries_of_request
      ON audit_entries (organization_id, request_id, occurred_at DESC, id DESC) WHERE request_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_entries_of_request');
  }
}
