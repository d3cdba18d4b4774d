import type { MigrationInterface, QueryRunner } from 'typeorm';

import { ADD_AGENT_OFFERS, DROP_AGENT_OFFERS } from './agent-offers.sql.js';

export class AgentOffers1764040000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of ADD_AGENT_OFFERS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_AGENT_OFFERS) await runner.query(statement);
  }
}
