import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the time since which the heartbeats of an agent have arrived without a gap. */
export class AgentContact1765100000095 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents ADD COLUMN contact_since timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents DROP COLUMN contact_since');
  }
}
