import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the tables of sync jobs that are too large for one command: their definition has only the rest. */
export class JobRules1765100000098 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sync_job_rules (
        job_id text NOT NULL REFERENCES sync_jobs (id) ON DELETE CASCADE,
        position integer NOT NULL CHECK (position >= 0),
        rules json NOT NULL, -- the table as in a request; not jsonb, because agents compare a hash of the text
        where_columns json, -- the columns in the condition of the table
        PRIMARY KEY (job_id, position)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sync_job_rules');
  }
}
