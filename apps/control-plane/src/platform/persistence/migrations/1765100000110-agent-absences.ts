import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the absences of agents, and the time since which the control plane has been able to notice them. */
export class AgentAbsences1765100000110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE agents ADD COLUMN away_since timestamptz; -- the last_seen_at for which agent.away was recorded
      CREATE TABLE agent_watch (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        since timestamptz NOT NULL,
        until timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE agent_watch; ALTER TABLE agents DROP COLUMN away_since');
  }
}
