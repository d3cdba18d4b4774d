import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the usage of organisations by UTC day. Counts of earlier days do not exist. */
export class UsageDays1765000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE usage_days (
        organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        day date NOT NULL, -- in UTC
        metric text NOT NULL,
        used bigint NOT NULL,
        PRIMARY KEY (organization_id, day, metric),
        CONSTRAINT usage_days_metric_known CHECK (metric IN ('api_calls', 'sync_jobs', 'mock_calls')),
        CONSTRAINT usage_days_used_safe CHECK (used BETWEEN 0 AND 9007199254740991)
      )`);
    await runner.query('CREATE INDEX usage_days_oldest_first ON usage_days (day)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE usage_days');
  }
}
