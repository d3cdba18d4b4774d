import type { Client } from 'pg';
import { privilegeGrant, type TableName } from '@understudy/sync-job';
import { quoteIdentifier, quoteTable } from '../catalog/quote.js';
import { type DatabaseRole, grantLargeObjects } from './grant-statements.js';
import { lackingPrivileges, type LackingPrivilege } from './lacking-privileges.js';
import {
  CLOSED_TYPE_SCHEMAS,
  DATABASE_PRIVILEGES,
  UNREADABLE_VALUES,
  USERS_SCHEMAS,
  USERS_TABLES,
} from './missing-privileges.sql.js';

/** A privilege that the connected role lacks. Its names stay on the agent's machine. */
export interface MissingGrant {
  readonly role: DatabaseRole;
  /** For example `SELECT on TABLE "public"."orders"`. */
  readonly privilege: string;
  /** The statement that grants the privilege. An administrator runs it in the same database. */
  readonly sql: string;
  /**
   * True if no job can use the database in this role without the privilege. False if only jobs that use the
   * object need it, so an administrator may withhold it on purpose.
   */
  readonly isRequired: boolean;
}

/**
 * Lists the privileges that the connected role lacks for the uses of its database that the policy permits.
 * Checks every table of the database, with the checks that jobs make before they copy. Reads only catalogs,
 * with at most nine queries. Lists each privilege once, under the first role that needs it, and required privileges
 * first.
 * @throws PostgreSQL's own errors
 */
export async function missingPrivileges(
  client: Client,
  roles: ReadonlySet<DatabaseRole>,
): Promise<readonly MissingGrant[]> {
  const facts = await readFacts(client);
  const checks: Readonly<Record<DatabaseRole, (facts: Facts) => Promise<readonly MissingGrant[]>>> = {
    source: missingOnSource,
    target: missingOnTarget,
    snapshot: missingForSnapshot,
    restore: (one) => missingToReplace(one, 'restore', !one.mayCreateIn),
    replace: (one) => missingToReplace(one, 'replace', true),
  };
  const found: MissingGrant[] = [];
  for (const [role, check] of Object.entries(checks)) {
    if (roles.has(role as DatabaseRole)) found.push(...(await check(facts)));
  }
  const known = new Map<string, MissingGrant>();
  for (const missing of found) {
    const earlier = known.get(missing.sql);
    if (earlier === undefined || (missing.isRequired && !earlier.isRequired)) known.set(missing.sql, missing);
  }
  return [...known.values()].sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

interface Facts extends DatabasePrivileges {
  readonly client: Client;
  readonly tables: readonly UsersTable[];
}

interface UsersTable extends TableName {
  readonly oid: string;
  readonly is_extensions: boolean;
}

interface DatabasePrivileges {
  readonly role: string;
  readonly database: string;
  readonly mayMakeTemporary: boolean;
  readonly mayCreateIn: boolean;
  readonly mayCreateDatabases: boolean;
  readonly actsAsOwner: boolean;
  readonly owner: string | null;
  readonly mayMaintain: boolean;
}

async function readFacts(client: Client): Promise<Facts> {
  const { rows: tables } = await client.query<UsersTable>(USERS_TABLES);
  const { rows } = await client.query<DatabasePrivileges>(DATABASE_PRIVILEGES);
  const [privileges] = rows;
  if (privileges === undefined) throw new Error('expected one row about the role, received none');
  return { client, tables, ...privileges };
}

async function missingOnSource({ client, tables, role }: Facts): Promise<readonly MissingGrant[]> {
  const own = tables.filter((table) => !table.is_extensions);
  const lacks = await lackingPrivileges(client, 'read', oidsOf(own));
  const { rows: closed } = await client.query<{ name: string }>(CLOSED_TYPE_SCHEMAS);
  const { sequences } = await readUnreadable(client);
  return [
    ...grantsOf('source', lacks, own, areAllIn(lacks, own)),
    ...closed.map(({ name }) => grantOn('source', 'USAGE', `SCHEMA ${quoteIdentifier(name)}`, role, false)),
    ...sequences.map((sequence) => grantOn('source', 'SELECT', `SEQUENCE ${sequence}`, role, false)),
  ];
}

async function missingOnTarget(facts: Facts): Promise<readonly MissingGrant[]> {
  const { client, tables } = facts;
  const own = tables.filter((table) => !table.is_extensions);
  const database = `DATABASE ${quoteIdentifier(facts.database)}`;
  const { rows } = await client.query<{ name: string }>(USERS_SCHEMAS);
  const schemas = rows.map(({ name }) => name);
  const creating = await lackingPrivileges(client, 'create', schemas);
  const onDatabase = creating.filter(({ privilege }) => privilege.objectKind === 'database');
  const onSchemas = creating.filter(({ privilege }) => privilege.objectKind !== 'database');
  const replacing = await lackingPrivileges(client, 'replace', oidsOf(own));
  const isUseless = schemas.every((schema) => onSchemas.some(({ key }) => key === schema));
  return [
    ...grantsOf('target', onDatabase, own, true),
    ...grantsOf('target', onSchemas, own, isUseless && (own.length === 0 || areAllIn(replacing, own))),
    ...grantsOf('target', replacing, own, isUseless && areAllIn(replacing, own)),
    ...(facts.mayMakeTemporary ? [] : [grantOn('target', 'TEMPORARY', database, facts.role, false)]),
  ];
}

/** Returns whether each table lacks a privilege, so that no job can use the database. */
function areAllIn(lacks: readonly LackingPrivilege[], tables: readonly UsersTable[]): boolean {
  const keys = new Set(lacks.map(({ key }) => key));
  return tables.length > 0 && tables.every(({ oid }) => keys.has(oid));
}

async function missingForSnapshot({ client, tables, role }: Facts): Promise<readonly MissingGrant[]> {
  const { sequences, largeObjects } = await readUnreadable(client);
  return [
    ...grantsOf('snapshot', await lackingPrivileges(client, 'read', oidsOf(tables)), tables, true),
    ...sequences.map((sequence) => grantOn('snapshot', 'SELECT', `SEQUENCE ${sequence}`, role, true)),
    ...(largeObjects === 0
      ? []
      : [
          {
            role: 'snapshot' as const,
            privilege: `SELECT on ${largeObjects} LARGE OBJECTs`,
            sql: grantLargeObjects(role),
            isRequired: true,
          },
        ]),
  ];
}

interface UnreadableValues {
  readonly sequences: readonly string[];
  readonly largeObjects: number;
}

async function readUnreadable(client: Client): Promise<UnreadableValues> {
  const { rows } = await client.query<UnreadableValues>(UNREADABLE_VALUES);
  return rows[0] ?? { sequences: [], largeObjects: 0 };
}

/** @param object the kind and the quoted name of an object */
function grantOn(
  use: DatabaseRole,
  privilege: string,
  object: string,
  role: string,
  isRequired: boolean,
): MissingGrant {
  const sql = `GRANT ${privilege} ON ${object} TO ${quoteIdentifier(role)};`;
  return { role: use, privilege: `${privilege} on ${object}`, sql, isRequired };
}

/** A role that may not create databases can still restore into an empty database in which it may create. */
function missingToReplace(
  facts: Facts,
  use: 'restore' | 'replace',
  isRequired: boolean,
): Promise<readonly MissingGrant[]> {
  const role = quoteIdentifier(facts.role);
  const database = `DATABASE ${quoteIdentifier(facts.database)}`;
  const missing = (privilege: string, sql: string): MissingGrant => ({
    ...{ role: use, privilege, sql, isRequired },
  });
  return Promise.resolve([
    ...(facts.mayCreateDatabases ? [] : [missing('CREATEDB', `ALTER ROLE ${role} CREATEDB;`)]),
    ...(facts.actsAsOwner
      ? []
      : [
          missing(
            `OWNERSHIP on ${database}`,
            facts.owner === null
              ? `ALTER ${database} OWNER TO ${role};`
              : `GRANT ${quoteIdentifier(facts.owner)} TO ${role};`,
          ),
        ]),
    ...(facts.mayMaintain ? [] : [grantOn(use, 'CONNECT', 'DATABASE "postgres"', facts.role, isRequired)]),
  ]);
}

function grantsOf(
  role: DatabaseRole,
  lacks: readonly LackingPrivilege[],
  tables: readonly UsersTable[],
  isRequired: boolean,
): readonly MissingGrant[] {
  const names = new Map(tables.map((table) => [table.oid, quoteTable(table)]));
  return lacks.flatMap(({ key, privilege }) => {
    const grant = privilegeGrant(privilege, names.get(key));
    if (grant.sql === undefined) return [];
    return [{ role, privilege: `${grant.privilege} on ${grant.object}`, sql: grant.sql, isRequired }];
  });
}

function oidsOf(tables: readonly UsersTable[]): readonly string[] {
  return tables.map(({ oid }) => oid);
}
