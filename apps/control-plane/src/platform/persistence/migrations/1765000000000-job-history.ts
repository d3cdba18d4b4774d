import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the numbers of changes of jobs and their tables, the history of attempts, and an index for names. */
export class JobHistory1765000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sync_jobs
        ADD COLUMN revision bigint NOT NULL DEFAULT 0,
        ADD COLUMN attempt_history jsonb NOT NULL DEFAULT '[]',
        ADD CONSTRAINT sync_jobs_revision_safe CHECK (revision BETWEEN 0 AND 9007199254740991) NOT VALID`);
    await runner.query('ALTER TABLE sync_job_tables ADD COLUMN revision bigint NOT NULL DEFAULT 0');
    await runner.query('CREATE INDEX sync_jobs_by_name ON sync_jobs (organization_id, name, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX sync_jobs_by_name');
    await runner.query('ALTER TABLE sync_job_tables DROP COLUMN revision');
    await runner.query('ALTER TABLE sync_jobs DROP COLUMN revision, DROP COLUMN attempt_history');
  }
}
