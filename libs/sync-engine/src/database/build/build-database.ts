import {
  claimDatabase,
  createNewDatabase,
  type DatabaseProperties,
  dropWithSessions,
  nameBeside,
  onTargetServer,
  settingStatements,
  withCreateFailures,
} from '@understudy/database-swap';
import { type Client, type ConnectionTarget, disconnect, quoteIdentifier } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { type JobAttempt, jobLabel, sessionName } from '../../session/job-attempt.js';
import { openJobClient } from '../../session/open-session.js';
import { asLogin } from '../checks/build-login.js';
import { stagingSchema } from '../../stage/staging-names.js';

/**
 * How far the attempts of a job have built its database.
 * - `missing`: there is no such database.
 * - `incomplete`: not all definitions have been created, so the database has no ledger.
 * - `building`: the ledger is there, and belongs to the second login.
 * - `built`: the objects and the ledger have been given to their owners. Only the swap is left.
 */
export type BuildState = 'missing' | 'incomplete' | 'building' | 'built';

/**
 * The database that a job builds beside its target. Its name depends on the job, so a later attempt finds it. The agent's
 * role owns the database until the swap. The second login has no right but to connect and to create objects in it, so the
 * code of the source cannot change the database itself.
 */
export class BuildDatabase {
  readonly name: string;
  /** The name that the replaced database gets. */
  readonly replacedName: string;
  /** The database, as the second login connects to it. */
  readonly target: ConnectionTarget;

  /**
   * @param client a session of the agent's role in a maintenance database
   * @param agent the target, as the agent's role connects to it
   * @param login the second login
   */
  constructor(
    private readonly client: Client,
    private readonly attempt: JobAttempt,
    private readonly agent: ConnectionTarget,
    private readonly login: ConnectionTarget,
  ) {
    const names = databaseNames(attempt, agent);
    this.name = names.build;
    this.replacedName = names.replaced;
    this.target = asLogin({ ...agent, database: this.name }, login);
  }

  /**
   * Finds the database, and claims it for this attempt.
   * @throws SyncJobError build_database_taken if another role owns a database of this name · lease_lost
   */
  async find(): Promise<BuildState> {
    const { rows: found } = await this.client.query<{ is_own: boolean }>(IS_OWN, [this.name]);
    if (found[0] === undefined) return 'missing';
    if (!found[0].is_own) throw new SyncJobError({ code: 'build_database_taken', side: 'target' });
    await claimDatabase(this.client, this.name, sessionName(this.attempt));
    const { rows } = await this.asAgent((client) =>
      client.query<{ is_own: boolean }>(LEDGER_OWNER, [stagingSchema(this.attempt.jobId)]),
    );
    if (rows[0] === undefined) return 'incomplete';
    return rows[0].is_own ? 'built' : 'building';
  }

  /**
   * Creates the database. Only the agent's role and the second login may connect to it.
   * @param template the database that it is a copy of; undefined for an empty one
   */
  async create(properties: DatabaseProperties, template: string | undefined): Promise<void> {
    const login = quoteIdentifier(this.login.user);
    await withCreateFailures(async () => {
      await createNewDatabase(this.client, this.name, properties, { template });
      await this.client.query(
        `GRANT CONNECT, CREATE, TEMPORARY ON DATABASE ${quoteIdentifier(this.name)} TO ${login}`,
      );
      // The server evaluates rows with this path, also while they are copied.
      const paths = properties.settings
        .filter(({ role }) => role === null)
        .map((one) => ({ ...one, settings: one.settings.filter((text) => text.startsWith('search_path=')) }));
      for (const sql of settingStatements(this.name, paths)) await this.client.query(sql);
    });
    await claimDatabase(this.client, this.name, sessionName(this.attempt));
    await this.asAgent(async (client) => {
      const { rows } = await client.query<{ may_give: boolean }>(MAY_GIVE_PUBLIC);
      if (rows[0]?.may_give === true) await client.query(`ALTER SCHEMA public OWNER TO ${login}`);
    });
  }

  /** Drops the database if it exists, and ends the sessions in it. */
  drop(): Promise<void> {
    return dropOwn(this.client, this.name);
  }

  /** Runs work in a session of the agent's role in the database. */
  async asAgent<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const target = { ...this.agent, database: this.name };
    const client = await openJobClient(target, 'target', sessionName(this.attempt));
    return work(client).finally(() => disconnect(client));
  }
}

/**
 * Drops the database that a failed job has built. Attempts of the job that still run lose their sessions in it. Leaves a
 * database of this name that belongs to another role.
 */
export function dropBuildDatabase(attempt: JobAttempt, agent: ConnectionTarget): Promise<void> {
  return onTargetServer(agent, (client) => dropOwn(client, databaseNames(attempt, agent).build));
}

async function dropOwn(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<{ is_own: boolean }>(IS_OWN, [name]);
  if (rows[0]?.is_own === true) await dropWithSessions(client, name);
}

/** Derives names from the job only, so that each attempt finds the databases. */
function databaseNames({ jobId }: JobAttempt, { database }: ConnectionTarget) {
  const suffix = `_understudy_${jobLabel(jobId)}`;
  return { build: nameBeside(database, suffix), replaced: nameBeside(database, `${suffix}_old`) };
}

/**
 * The agent's role owns the database until the target's owner gets it, and has a setting in it, the claim.
 * $1: the name of a database.
 */
const IS_OWN = `
  SELECT d.datdba = me.oid OR EXISTS (SELECT FROM pg_catalog.pg_db_role_setting s WHERE s.setdatabase = d.oid AND s.setrole = me.oid) AS is_own
    FROM pg_catalog.pg_database d JOIN pg_catalog.pg_roles me ON me.rolname = current_user WHERE d.datname = $1
`;

/** $1: the schema of the ledger. */
const LEDGER_OWNER = `
  SELECT n.nspowner = (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = current_user) AS is_own
    FROM pg_catalog.pg_namespace n WHERE n.nspname = $1
`;

/** Until PostgreSQL 14, the schema `public` belongs to a superuser, and every role may create objects in it. */
const MAY_GIVE_PUBLIC = `
  SELECT pg_catalog.pg_has_role(n.nspowner, 'USAGE') AS may_give FROM pg_catalog.pg_namespace n WHERE n.nspname = 'public'
`;
