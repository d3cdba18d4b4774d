import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the databases that agents keep after a replacement, and the reverts of sync jobs. */
export class KeptDatabases1765100000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE kept_databases (
        work_id text PRIMARY KEY, -- no reference: the job may be deleted first
        organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        target jsonb NOT NULL,
        requires jsonb NOT NULL,
        last_change text NOT NULL UNIQUE,
        is_last boolean NOT NULL,
        kept_until timestamptz NOT NULL,
        reverted_at timestamptz,
        sent_at timestamptz
      );
      CREATE INDEX kept_databases_by_end ON kept_databases (kept_until);
      CREATE TABLE sync_job_reverts (
        id text PRIMARY KEY,
        job_id text NOT NULL REFERENCES sync_jobs (id) ON DELETE CASCADE,
        organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        last_change text NOT NULL,
        status text NOT NULL CHECK (status IN ('pending', 'completed', 'failed')),
        error_code text CHECK ((error_code IS NOT NULL) = (status = 'failed')),
        attempts integer NOT NULL DEFAULT 0,
        agent_id text,
        created_at timestamptz NOT NULL,
        sent_at timestamptz,
        ended_at timestamptz CHECK ((ended_at IS NULL) = (status = 'pending'))
      );
      CREATE INDEX sync_job_reverts_by_job ON sync_job_reverts (job_id);
      CREATE INDEX sync_job_reverts_pending ON sync_job_reverts (created_at) WHERE status = 'pending'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sync_job_reverts, kept_databases');
  }
}
