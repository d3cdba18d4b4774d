import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores which process of an agent owns the agent's identity. */
export class AgentInstances1764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE agents
        ADD COLUMN instance text, -- random id of the process; null for agents before 0.1.0
        ADD COLUMN instance_since timestamptz,
        ADD COLUMN jwt_issued_at timestamptz, -- time in the newest JWT, in whole seconds
        ADD COLUMN jwts_refused_until timestamptz, -- JWTs that were issued up to this second are refused
        ADD COLUMN last_conflict_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE agents
        DROP COLUMN instance,
        DROP COLUMN instance_since,
        DROP COLUMN jwt_issued_at,
        DROP COLUMN jwts_refused_until,
        DROP COLUMN last_conflict_at`);
  }
}
