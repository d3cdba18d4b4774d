import type { MigrationInterface, QueryRunner } from 'typeorm';

import { AGENTS } from './baseline/agents.sql.js';
import { AUDIT_LOG } from './baseline/audit-log.sql.js';
import { IDEMPOTENCY_KEYS } from './baseline/idempotency-keys.sql.js';
import { MOCK_ENDPOINTS } from './baseline/mock-endpoints.sql.js';
import { MODELS } from './baseline/models.sql.js';
import { ORGANIZATIONS } from './baseline/organizations.sql.js';
import { OUTBOX } from './baseline/outbox.sql.js';
import { SNAPSHOTS } from './baseline/snapshots.sql.js';
import { SYNC_JOBS } from './baseline/sync-jobs.sql.js';
import { USAGE } from './baseline/usage.sql.js';
import { WEBHOOKS } from './baseline/webhooks.sql.js';

/** The schema of version 0.1.0. A table follows the tables that it references. */
const SUBJECTS = [
  ORGANIZATIONS,
  AGENTS,
  MODELS,
  SYNC_JOBS,
  SNAPSHOTS,
  MOCK_ENDPOINTS,
  WEBHOOKS,
  AUDIT_LOG,
  IDEMPOTENCY_KEYS,
  USAGE,
  OUTBOX,
];

export class Baseline1764200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const subject of SUBJECTS) await runner.query(subject);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('no version exists before the baseline; drop the database instead'));
  }
}
