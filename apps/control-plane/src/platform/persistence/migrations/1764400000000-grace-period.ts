import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['sync_jobs', 'snapshots', 'snapshot_restores'];

/** Adds the grace period of leases, the number of lost leases, and what heartbeats report about a lease. */
export class GracePeriod1764400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`
        ALTER TABLE ${table}
          ADD COLUMN lost_leases integer NOT NULL DEFAULT 0,
          ADD COLUMN grace_seconds integer NOT NULL DEFAULT 0,
          ADD COLUMN renewed_at timestamptz,
          ADD COLUMN snapshot_taken_at timestamptz,
          ADD CONSTRAINT ${table}_grace_known CHECK (lost_leases >= 0 AND grace_seconds BETWEEN 0 AND 86400) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`
        ALTER TABLE ${table}
          DROP COLUMN lost_leases, DROP COLUMN grace_seconds, DROP COLUMN renewed_at, DROP COLUMN snapshot_taken_at`);
  }
}
