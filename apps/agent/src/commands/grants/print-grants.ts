import {
  type Client,
  connect,
  type ConnectionTarget,
  type DatabaseLayout,
  disconnect,
  grantStatements,
  parseConnectionUrl,
  readDatabaseLayout,
  readObjectOwners,
} from '@understudy/postgres';

import { environmentVariable, readPolicyPath } from '../../config/environment.js';
import type { DatabaseRules } from '../../policy/database-rules.js';
import { readPolicyFile } from '../../policy/read-policy-file.js';
import { GENERIC_LAYOUT, type Grants, grantScript, linesToComplete } from './grant-script.js';

export interface GrantsOptions {
  readonly database: string;
  /** The environment variable with the URL to read the catalogs with. By default, the agent's own URL is used. */
  readonly adminUrlEnv?: string;
  readonly json?: boolean;
}

export interface GrantsOutput {
  readonly out: (text: string) => void;
  readonly note: (line: string) => void;
}

/**
 * Prints the SQL for the role of a database. Changes nothing.
 * @returns the exit code
 * @throws ConfigurationError if the environment or the policy file is invalid
 */
export async function printGrants(options: GrantsOptions, { out, note }: GrantsOutput): Promise<number> {
  const { databases } = await readPolicyFile(readPolicyPath());
  try {
    const grants = await grantsFor(options, databases, note);
    out(options.json === true ? `${JSON.stringify(grants)}\n` : grantScript(grants));
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    note(error.message);
    return 1;
  }
}

/** The command cannot print the SQL. The message states what was expected. */
class Refusal extends Error {}

async function grantsFor(
  { database: name, adminUrlEnv }: GrantsOptions,
  databases: DatabaseRules,
  note: GrantsOutput['note'],
): Promise<Grants> {
  const entry = databases.get(name);
  if (entry === undefined)
    throw new Refusal(
      `expected --database to be a name in the policy file (${[...databases.keys()].join(', ')}), received ${JSON.stringify(name)}`,
    );
  const { target, roles, buildLogin } = entry;
  const layout =
    adminUrlEnv === undefined
      ? await layoutOf(target, target.user, note)
      : await layoutAsAdministrator(adminUrlEnv, target);
  if (layout?.isSuperuser === true)
    throw new Refusal(
      `expected the URL of ${name} to name a role without superuser rights, received the superuser ${JSON.stringify(target.user)}. Write a new role into the URL, and run the command again with --admin-url-env.`,
    );
  const objectOwners = roles.has('restore') ? await ownersOfSnapshots(databases, note) : [];
  const { user: role, database } = target;
  const request = { roles, role, database, objectOwners, buildRole: buildLogin?.user };
  return {
    role: target.user,
    database: target.database,
    roles: [...roles],
    connected: layout !== undefined,
    statements: grantStatements({ ...request, layout: layout ?? GENERIC_LAYOUT }),
    toComplete: linesToComplete(request, layout),
  };
}

/** Reads the layout with the agent's own URL. @returns undefined if the database cannot be reached */
async function layoutOf(
  target: ConnectionTarget,
  role: string,
  note: GrantsOutput['note'],
): Promise<DatabaseLayout | undefined> {
  try {
    return await withClient(target, (client) => readDatabaseLayout(client, role));
  } catch (error) {
    note(
      `cannot read the catalogs as ${JSON.stringify(role)} (${(error as Error).message}), so the SQL is for the schema public; name the variable of an administrator's URL with --admin-url-env`,
    );
    return undefined;
  }
}

async function layoutAsAdministrator(
  variable: string,
  { user, database }: ConnectionTarget,
): Promise<DatabaseLayout> {
  const url = environmentVariable(variable) ?? '';
  try {
    const admin = parseConnectionUrl(url);
    if (admin.database !== database)
      throw new Error(
        `expected the database ${JSON.stringify(database)}, received ${JSON.stringify(admin.database)}`,
      );
    return await withClient(admin, (client) => readDatabaseLayout(client, user));
  } catch (error) {
    throw new Refusal(`the URL in the variable ${variable} cannot be used: ${(error as Error).message}`);
  }
}

/** Lists the owners of objects in the databases whose snapshots the agent may take and restore. */
async function ownersOfSnapshots(
  databases: DatabaseRules,
  note: GrantsOutput['note'],
): Promise<readonly string[]> {
  const owners = new Set<string>();
  for (const [name, { target, roles }] of databases) {
    if (!roles.has('snapshot')) continue;
    try {
      for (const owner of await withClient(target, readObjectOwners)) owners.add(owner);
    } catch (error) {
      note(
        `cannot read the owners of the objects in ${name} (${(error as Error).message}); complete the SQL`,
      );
    }
  }
  return [...owners].sort();
}

async function withClient<T>(target: ConnectionTarget, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(target, 'target');
  try {
    return await work(client);
  } finally {
    await disconnect(client);
  }
}
