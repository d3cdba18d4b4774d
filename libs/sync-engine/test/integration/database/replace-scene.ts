import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseConnectionUrl } from '@understudy/postgres';
import type { ProgressReport, SyncJobCommand } from '@understudy/sync-job';
import type { TestDatabase } from '@understudy/testing';
import { dumpDatabase } from '../everything-schema/dumped-database.js';
import { tablesOf } from '../everything-schema/everything-database.js';
import type { SyncPolicy } from '../../../src/policy.js';
import type { Outcome, Rules, SyncHarness } from '../sync-harness.js';

const run = promisify(execFile);

/** The roles of jobs that replace databases, on the servers of the sources and of the targets. */
export interface ReplaceScene {
  /** Returns the URL of a target for the role that creates and swaps databases. It is no superuser. */
  readonly agentUrl: (database: Pick<TestDatabase, 'name'>) => string;
  readonly agent: string;
  readonly login: string;
  /** The owner of the targets. It cannot log in. */
  readonly owner: string;
  readonly policy: SyncPolicy;
  /** Runs a job that replaces the target. */
  replace(request: ReplaceRequest): Promise<Outcome>;
  /** The definitions of a database, as pg_dump writes them. @param withRights true to include owners and privileges */
  definitions(database: TestDatabase, withRights?: boolean): Promise<string>;
  /** The kinds of entries that pg_dump writes for a database. */
  kindsIn(database: TestDatabase): Promise<readonly string[]>;
}

export interface ReplaceRequest {
  readonly source: TestDatabase;
  readonly target: Pick<TestDatabase, 'name'>;
  /** Rules of columns by quoted table name. All other columns are preserved. */
  readonly rules?: Readonly<Record<string, Rules>>;
  readonly command?: Partial<SyncJobCommand>;
  readonly environment?: Parameters<SyncHarness['run']>[1];
  readonly signal?: AbortSignal;
  readonly onProgress?: (report: ProgressReport) => void;
}

export async function replaceScene(harness: SyncHarness): Promise<ReplaceScene> {
  const { postgresBinFolder } = harness.services;
  const id = randomBytes(4).toString('hex');
  const [agent, login, owner] = [`agent_${id}`, `build_${id}`, `owner_${id}`] as const;
  const admin = await harness.targetDatabase();
  for (const server of harness.hasTwoServers ? [admin, await harness.database()] : [admin])
    await server.query(`
      CREATE ROLE ${agent} LOGIN CREATEDB PASSWORD 'agent'; CREATE ROLE ${login} LOGIN PASSWORD 'build';
      CREATE ROLE ${owner}; GRANT ${login}, ${owner} TO ${agent}`);
  const as = (role: string, password: string, database: string) => {
    const url = new URL(admin.url);
    url.pathname = database;
    url.username = role;
    url.password = password;
    return url.href;
  };
  const agentUrl = ({ name }: Pick<TestDatabase, 'name'>) => as(agent, 'agent', name);
  const policy = {
    ...harness.policy(),
    resolveBuildLogin: () => parseConnectionUrl(as(login, 'build', 'postgres')),
  };
  return {
    ...{ agentUrl, agent, login, owner, policy },
    async replace({ source, target, rules = {}, command = {}, environment = {}, signal, onProgress }) {
      const tables = Object.fromEntries(
        await Promise.all(
          (await tablesOf(source)).map(
            async (table) => [table, { ...(await preserved(source, table)), ...rules[table] }] as const,
          ),
        ),
      );
      const made = harness.command(source.url, agentUrl(target), tables, {
        ...{ replace: 'database', dropTargetOnly: true, keepReplacedHours: 0 },
        ...command,
      });
      return harness.run(made, { policy, ...environment }, signal, onProgress);
    },
    async kindsIn(database) {
      const found = await dumpDatabase(postgresBinFolder, database, 'schema-only');
      return [...new Set(found.map(({ type }) => type))];
    },
    async definitions({ url }, withRights = false) {
      const rights = withRights ? [] : ['--no-owner', '--no-privileges'];
      const flags = ['--schema-only', ...rights, '--no-publications'];
      const more = ['--no-subscriptions', '--no-security-labels', `--dbname=${url}`];
      const { stdout } = await run(join(postgresBinFolder, 'pg_dump'), [...flags, ...more], {
        maxBuffer: 1 << 28,
      });
      return stdout.replace(/^\\(un)?restrict .*$|^-- Dumped from .*$/gm, '');
    },
  };
}

/** Returns a rule for each column of a table that is not generated. */
async function preserved(database: TestDatabase, table: string): Promise<Rules> {
  const { rows } = await database.query(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''",
    [table],
  );
  return Object.fromEntries(rows.map(({ name }) => [String(name), { preserve: true }]));
}
