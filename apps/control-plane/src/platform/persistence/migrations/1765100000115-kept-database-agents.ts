import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds which agent keeps a replaced database and since when, and what its revert needs. */
export class KeptDatabaseAgents1765100000115 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Rows of earlier versions have no values.
    await runner.query(`
      ALTER TABLE kept_databases
        ADD COLUMN agent_id text,
        ADD COLUMN policy text,
        ADD COLUMN replaced_at timestamptz,
        ADD COLUMN end_sessions boolean,
        ADD COLUMN reverting text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE kept_databases
        DROP COLUMN agent_id, DROP COLUMN policy, DROP COLUMN replaced_at, DROP COLUMN end_sessions, DROP COLUMN reverting`);
  }
}
