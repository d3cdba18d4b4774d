import {
  type Client,
  connect,
  type ConnectionTarget,
  DatabaseError,
  type DatabaseRole,
  disconnect,
  findPgTools,
  missingPrivileges,
} from '@understudy/postgres';

import type { AgentConfiguration } from '../../../config/agent-configuration.js';
import { environmentVariable } from '../../../config/environment.js';
import type { PolicyRules } from '../../../policy/policy-document.js';
import { CheckFailure, type CheckReport } from '@understudy/operator-commands';
import { connectionFailure } from './database-failure.js';

/** Checks each database of the policy: connection, encryption, version, privileges, and the version of pg_dump. */
export async function checkDatabases(
  report: CheckReport,
  { pgBinDir }: AgentConfiguration,
  policy: PolicyRules | undefined,
): Promise<void> {
  if (policy === undefined) {
    report.skip('databases', 'because the policy cannot be used');
    return;
  }
  for (const [name, { target, roles }] of policy.databases) {
    const label = `database ${name}`;
    const client = await report.step(label, () => open(target, roles));
    if (client === undefined) {
      for (const step of ['privileges', 'pg_dump'])
        report.skip(`${label} ${step}`, 'because there is no connection');
      continue;
    }
    try {
      await checkPrivileges(report, `${label} privileges`, client, roles);
      await checkPgDump(report, `${label} pg_dump`, client, pgBinDir);
    } finally {
      await disconnect(client);
    }
  }
}

async function open(target: ConnectionTarget, roles: ReadonlySet<DatabaseRole>) {
  const client = await connect(target, sideOf(roles), 'understudy-agent check').catch(
    async (error: unknown) => {
      throw await connectionFailure(error, target);
    },
  );
  const { rows } = await client.query<{ role: string; version: string; protocol: string | null }>(FACTS);
  const [{ role = '', version = '', protocol = null } = {}] = rows;
  const encryption = protocol === null ? 'not encrypted' : `${protocol} (${target.sslMode ?? 'no sslmode'})`;
  return {
    facts: `PostgreSQL ${version}, role ${role}, ${encryption}, as ${[...roles].join(' and ')}`,
    value: client,
  };
}

/** Adds a line for each missing privilege, with the statement that grants it. */
async function checkPrivileges(
  report: CheckReport,
  step: string,
  client: Client,
  roles: ReadonlySet<DatabaseRole>,
): Promise<void> {
  const missing = await report.step(step, async () => {
    const found = await missingPrivileges(client, roles);
    const facts =
      found.length === 0
        ? 'none is missing'
        : `${found.length} missing for some or all jobs; see the next lines`;
    return { facts, value: found };
  });
  for (const { role, privilege, sql, isRequired } of (missing ?? []).slice(0, MAX_LINES)) {
    const facts = `as ${role}: ${privilege} is missing`;
    if (isRequired) report.fail(step, facts, `run ${sql}`);
    else report.warn(step, `${facts}; jobs that use the object fail or warn`, `run ${sql}`);
  }
  const hidden = (missing?.length ?? 0) - MAX_LINES;
  if (hidden > 0)
    report.warn(
      step,
      `${hidden} further privileges are missing`,
      'run "understudy-agent grants", which prints the SQL for all privileges',
    );
}

async function checkPgDump(
  report: CheckReport,
  step: string,
  client: Client,
  pgBinDir: string | undefined,
): Promise<void> {
  await report.step(step, async () => {
    const { rows } = await client.query<{ major: number }>(MAJOR);
    const major = rows[0]?.major ?? 0;
    try {
      await findPgTools({ pgBinDir, searchPath: environmentVariable('PATH') }, major);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      const found =
        error.code === 'pg_dump_missing' ? 'were not found' : `are older than the server (${major})`;
      throw new CheckFailure(
        `pg_dump and pg_restore ${found}`,
        `install the client programs of PostgreSQL ${major} or newer, or name their folder in UNDERSTUDY_AGENT_PG_BIN_DIR`,
      );
    }
    return { facts: `pg_dump and pg_restore are new enough for PostgreSQL ${major}`, value: undefined };
  });
}

function sideOf(roles: ReadonlySet<DatabaseRole>): 'source' | 'target' {
  return (['target', 'restore', 'replace'] as const).some((role) => roles.has(role)) ? 'target' : 'source';
}

const FACTS = `
  SELECT pg_catalog.current_setting('server_version') AS version, current_user AS role, ssl.version AS protocol
  FROM (SELECT) AS one
  LEFT JOIN pg_catalog.pg_stat_ssl AS ssl ON ssl.pid = pg_catalog.pg_backend_pid()`;
const MAJOR = `SELECT pg_catalog.current_setting('server_version_num')::int / 10000 AS major`;
const MAX_LINES = 20;
