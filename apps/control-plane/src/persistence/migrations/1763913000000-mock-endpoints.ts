import type { MigrationInterface, QueryRunner } from 'typeorm';

import { CREATE_MOCK_ENDPOINTS, DROP_MOCK_ENDPOINTS } from './mock-endpoints.sql.js';

export class MockEndpoints1763913000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CREATE_MOCK_ENDPOINTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DROP_MOCK_ENDPOINTS) await runner.query(statement);
  }
}
