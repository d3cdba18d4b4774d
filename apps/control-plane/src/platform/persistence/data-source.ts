import { DataSource, type DataSourceOptions } from 'typeorm';

import type { DatabaseConfiguration } from '../config/configuration.js';
import { readDatabaseUrl } from '../config/service-encryption.js';
import { databaseTls } from '../config/service-tls.js';
import { JSON_TYPES } from './database-values.js';
import { limitedDriver } from './limited-driver.js';
import { Baseline1764200000000 } from './migrations/1764200000000-baseline.js';
import { AgentInstances1764300000000 } from './migrations/1764300000000-agent-instances.js';
import { GracePeriod1764400000000 } from './migrations/1764400000000-grace-period.js';
import { JobHistory1765000000000 } from './migrations/1765000000000-job-history.js';
import { WebhookRequests1765000000010 } from './migrations/1765000000010-webhook-requests.js';
import { UsageDays1765000000011 } from './migrations/1765000000011-usage-days.js';
import { DashboardSessions1765000000020 } from './migrations/1765000000020-dashboard-sessions.js';
import { OidcSignIn1765000000030 } from './migrations/1765000000030-oidc-sign-in.js';
import { AuditRequests1765000000040 } from './migrations/1765000000040-audit-requests.js';
import { GoneReceivers1765100000089 } from './migrations/1765100000089-gone-receivers.js';
import { LeftOut1765100000088 } from './migrations/1765100000088-left-out.js';
import { OrganizationNames1765100000090 } from './migrations/1765100000090-organization-names.js';
import { AgentContact1765100000095 } from './migrations/1765100000095-agent-contact.js';
import { OfferedMembers1765100000096 } from './migrations/1765100000096-offered-members.js';
import { DeletedWebhooks1765100000097 } from './migrations/1765100000097-deleted-webhooks.js';
import { JobRules1765100000098 } from './migrations/1765100000098-job-rules.js';
import { KeptDatabases1765100000100 } from './migrations/1765100000100-kept-databases.js';
import { AgentAbsences1765100000110 } from './migrations/1765100000110-agent-absences.js';
import { KeptDatabaseAgents1765100000115 } from './migrations/1765100000115-kept-database-agents.js';
import { WebhookFormats1765100000120 } from './migrations/1765100000120-webhook-formats.js';
import { RepeatedJobs1765100000130 } from './migrations/1765100000130-repeated-jobs.js';

/** All migrations in order. New ones are only appended. */
export const MIGRATIONS = [
  Baseline1764200000000,
  AgentInstances1764300000000,
  GracePeriod1764400000000,
  JobHistory1765000000000,
  WebhookRequests1765000000010,
  UsageDays1765000000011,
  DashboardSessions1765000000020,
  OidcSignIn1765000000030,
  AuditRequests1765000000040,
  LeftOut1765100000088,
  GoneReceivers1765100000089,
  OrganizationNames1765100000090,
  AgentContact1765100000095,
  OfferedMembers1765100000096,
  DeletedWebhooks1765100000097,
  JobRules1765100000098,
  KeptDatabases1765100000100,
  AgentAbsences1765100000110,
  KeptDatabaseAgents1765100000115,
  WebhookFormats1765100000120,
  RepeatedJobs1765100000130,
];

/**
 * The limit on one statement. Longer work is split into smaller statements. With {@link RESPONSE_MS}, a request ends
 * within 10 s if it waits for PostgreSQL.
 */
const STATEMENT_TIMEOUT_MS = 8_000;
/** The time within which the server must report that it has ended a statement. Afterwards it counts as away. */
const RESPONSE_MS = 1_000;

/**
 * Returns the connection options for the control plane's database. The server adds its entities; commands
 * need none.
 */
export function dataSourceOptions({
  url,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  outbound,
}: DatabaseConfiguration) {
  const address = readDatabaseUrl(url);
  return {
    type: 'postgres',
    url: address.url,
    applicationName: 'understudy-control-plane',
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    migrationsRun: false,
    // Queries and parameters contain customers' definitions, so they are never logged. The error filter logs
    // errors.
    logging: false,
    driver: limitedDriver(statementTimeoutMs === 0 ? 0 : statementTimeoutMs + RESPONSE_MS),
    poolSize: 20,
    connectTimeoutMS: 5_000,
    extra: {
      types: JSON_TYPES,
      ssl: databaseTls(address, outbound),
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 30_000,
      // Every query should use an index, and sequential scans are the last resort. Lists can then count
      // millions of rows. A plan without an index gets a high cost estimate, which must not trigger JIT
      // compilation.
      options: '-c enable_seqscan=off -c random_page_cost=1.1 -c jit=off',
    },
  } as const satisfies DataSourceOptions;
}

/**
 * Opens the database for a one-shot command. The caller must destroy the data source.
 * @throws as `refuseDevelopmentDatabase` does
 */
export async function openDataSource(database: DatabaseConfiguration): Promise<DataSource> {
  const dataSource = await new DataSource(dataSourceOptions(database)).initialize();
  try {
    await refuseDevelopmentDatabase(dataSource);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

/**
 * @throws Error if migrations were applied, but the baseline is not one of them. A development version
 * created such a database, and no migration converts it.
 */
export async function refuseDevelopmentDatabase(dataSource: DataSource): Promise<void> {
  const [table] = await dataSource.query<{ exists: boolean }[]>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`,
  );
  if (!table?.exists) return;
  const applied = await dataSource.query<{ name: string }[]>('SELECT name FROM schema_migrations');
  if (applied.length === 0 || applied.some(({ name }) => name === Baseline1764200000000.name)) return;
  throw new Error(
    'This database was created by a development version before 0.1.0. Create an empty database and run ' +
      '`understudy-control-plane migrate` there (there is no upgrade path, because nothing was released).',
  );
}
