import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Nonces of agents' signatures, until the signatures are too old to be accepted. */
export class AgentNonces1764040001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE agent_nonces (
      agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
      nonce text NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (agent_id, nonce)
    )`);
    await runner.query('CREATE INDEX agent_nonces_expires_at ON agent_nonces (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE agent_nonces');
  }
}
