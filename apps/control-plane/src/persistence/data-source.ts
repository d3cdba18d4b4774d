import { DataSource, type DataSourceOptions } from 'typeorm';

import type { DatabaseConfiguration } from '../config/configuration.js';
import { InitialSchema1763690400000 } from './migrations/1763690400000-initial-schema.js';
import { AuditLog1763776800000 } from './migrations/1763776800000-audit-log.js';
import { Members1763780400000 } from './migrations/1763780400000-members.js';
import { Usage1763784000000 } from './migrations/1763784000000-usage.js';
import { CustomModels1763866800000 } from './migrations/1763866800000-custom-models.js';
import { ModelErasures1763900000000 } from './migrations/1763900000000-model-erasures.js';
import { SyncJobCancel1763910000000 } from './migrations/1763910000000-sync-job-cancel.js';
import { IdempotencyKeys1763910001000 } from './migrations/1763910001000-idempotency-keys.js';
import { SyncJobReport1763912500000 } from './migrations/1763912500000-sync-job-report.js';
import { MockEndpoints1763913000000 } from './migrations/1763913000000-mock-endpoints.js';
import { Generators1763900100000 } from './migrations/1763900100000-generators.js';
import { SyncJobProblems1763911001000 } from './migrations/1763911001000-sync-job-problems.js';
import { AuditServer1763916000000 } from './migrations/1763916000000-audit-server.js';
import { Webhooks1763914000000 } from './migrations/1763914000000-webhooks.js';
import { TargetClearances1763917000000 } from './migrations/1763917000000-target-clearances.js';
import { Snapshots1763915000000 } from './migrations/1763915000000-snapshots.js';
import { SnapshotDeletionRefusals1764010000000 } from './migrations/1764010000000-snapshot-deletion-refusals.js';
import { ReachOfMembers1764050000000 } from './migrations/1764050000000-reach-of-members.js';
import { DeadLetters1764030000000 } from './migrations/1764030000000-dead-letters.js';
import { OutboxClaims1764030000001 } from './migrations/1764030000001-outbox-claims.js';
import { ModelDisplayNames1764060001000 } from './migrations/1764060001000-model-display-names.js';
import { IdempotencyMeta1764060002000 } from './migrations/1764060002000-idempotency-meta.js';
import { NegativeSeeds1764060000000 } from './migrations/1764060000000-negative-seeds.js';
import { IndexedLists1764051000000 } from './migrations/1764051000000-indexed-lists.js';
import { Retention1764052000000 } from './migrations/1764052000000-retention.js';
import { SyncJobPrediction1763912000000 } from './migrations/1763912000000-sync-job-prediction.js';
import { AgentOffers1764040000000 } from './migrations/1764040000000-agent-offers.js';
import { AgentNonces1764040001000 } from './migrations/1764040001000-agent-nonces.js';

/** Append-only, in order. */
export const MIGRATIONS = [
  InitialSchema1763690400000,
  AuditLog1763776800000,
  Members1763780400000,
  Usage1763784000000,
  CustomModels1763866800000,
  ModelErasures1763900000000,
  SyncJobCancel1763910000000,
  IdempotencyKeys1763910001000,
  Generators1763900100000,
  SyncJobProblems1763911001000,
  SyncJobReport1763912500000,
  MockEndpoints1763913000000,
  Webhooks1763914000000,
  SyncJobPrediction1763912000000,
  Snapshots1763915000000,
  AuditServer1763916000000,
  TargetClearances1763917000000,
  SnapshotDeletionRefusals1764010000000,
  DeadLetters1764030000000,
  OutboxClaims1764030000001,
  ReachOfMembers1764050000000,
  IndexedLists1764051000000,
  Retention1764052000000,
  NegativeSeeds1764060000000,
  ModelDisplayNames1764060001000,
  IdempotencyMeta1764060002000,
  AgentOffers1764040000000,
  AgentNonces1764040001000,
];

/** A request waits no longer for one statement; longer work is cut into smaller statements. */
const STATEMENT_TIMEOUT_MS = 15_000;

/** The one description of the control plane's database; the server adds its entities, commands need none. */
export function dataSourceOptions({ url, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: DatabaseConfiguration) {
  return {
    type: 'postgres',
    url,
    applicationName: 'understudy-control-plane',
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    migrationsRun: false,
    // Queries and their parameters hold customers' definitions: the log gets errors by way of the error filter only.
    logging: false,
    poolSize: 20,
    connectTimeoutMS: 5_000,
    extra: {
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 30_000,
      // Every query here is meant to go by an index: whole tables are read only where there is none. Lists count millions of
      // rows so. A plan without an index looks dear then, which is no reason to compile it.
      options: '-c enable_seqscan=off -c random_page_cost=1.1 -c jit=off',
    },
  } as const satisfies DataSourceOptions;
}

/** For one-shot commands; the caller destroys it. */
export async function openDataSource(database: DatabaseConfiguration): Promise<DataSource> {
  return new DataSource(dataSourceOptions(database)).initialize();
}
