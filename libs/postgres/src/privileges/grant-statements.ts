import { quoteIdentifier, quoteLiteral } from '../catalog/quote.js';
import type { DatabaseLayout } from './database-layout.js';

/**
 * The permitted uses of a database. Sync jobs read a `source` and write the listed tables of a `target`. A `snapshot`
 * reads the whole database and a `restore` replaces the whole database. `replace` lets a sync job do that, too.
 */
export const DATABASE_ROLES = ['source', 'target', 'snapshot', 'restore', 'replace'] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

/** One statement of {@link grantStatements}. */
export interface GrantStatement {
  readonly sql: string;
  /** Why the agent needs it, in one sentence. */
  readonly reason: string;
}

export interface GrantRequest {
  /** The uses of the database that the policy permits. */
  readonly roles: ReadonlySet<DatabaseRole>;
  /** The user of the connection URL. */
  readonly role: string;
  readonly database: string;
  readonly layout: DatabaseLayout;
  /** For a restore: the roles that own objects of the snapshot. */
  readonly objectOwners: readonly string[];
  /** For jobs that replace the database: the second login. */
  readonly buildRole?: string | undefined;
}

/**
 * Lists the statements that give a role the least privileges for its uses of a database. An administrator
 * runs them in this order, connected to the database. None of them makes the role a superuser, or a member of
 * a superuser.
 */
export function grantStatements(request: GrantRequest): readonly GrantStatement[] {
  const { roles, layout, role } = request;
  const creating = {
    sql: `CREATE ROLE ${quoteIdentifier(role)} LOGIN;`,
    reason: 'The agent connects as this role. Set its password separately.',
  };
  return [
    ...(layout.roleExists ? [] : [creating]),
    ...connecting(request),
    ...(roles.has('source') || roles.has('snapshot') ? reading(request) : []),
    ...(roles.has('snapshot') ? dumping(request) : []),
    ...bypassing(request),
    ...(roles.has('target') ? replacing(request) : []),
    ...(roles.has('restore') || roles.has('replace') ? restoring(request) : []),
  ];
}

function connecting({ roles, role, database }: GrantRequest): readonly GrantStatement[] {
  const on = `ON DATABASE ${quoteIdentifier(database)} TO ${quoteIdentifier(role)};`;
  if (roles.has('target')) {
    const reason =
      'CREATE is for the hidden schemas of a job. TEMPORARY is for a dry run that looks up references.';
    return [{ sql: `GRANT CONNECT, CREATE, TEMPORARY ${on}`, reason }];
  }
  // The role of a restore acts as the owner of its database.
  if (!roles.has('source') && !roles.has('snapshot')) return [];
  return [{ sql: `GRANT CONNECT ${on}`, reason: 'The agent connects to the database.' }];
}

function reading({ role, layout }: GrantRequest): readonly GrantStatement[] {
  if (layout.usedSchemas.length === 0) return [];
  const schemas = listOf(layout.usedSchemas);
  const to = `TO ${quoteIdentifier(role)};`;
  return [
    {
      sql: `GRANT USAGE ON SCHEMA ${schemas} ${to}`,
      reason: 'These schemas contain tables, or types of columns. Remove those that no job reads.',
    },
    {
      sql: `GRANT SELECT ON ALL TABLES IN SCHEMA ${schemas} ${to}`,
      reason:
        'The agent locks the tables in ACCESS SHARE mode and reads them. Both need SELECT on the table.',
    },
    ...forFutureObjects('TABLES', layout, to),
    {
      sql: `GRANT SELECT ON ALL SEQUENCES IN SCHEMA ${schemas} ${to}`,
      reason: 'A snapshot contains the values of the sequences, and copied sequences continue after them.',
    },
    ...forFutureObjects('SEQUENCES', layout, to),
  ];
}

function dumping({ role, layout }: GrantRequest): readonly GrantStatement[] {
  if (!layout.hasLargeObjects) return [];
  const reason = 'A snapshot contains the large objects. Repeat this statement when there are new ones.';
  return [{ sql: grantLargeObjects(role), reason }];
}

function forFutureObjects(
  kind: 'TABLES' | 'SEQUENCES',
  { creators, usedSchemas }: DatabaseLayout,
  to: string,
): readonly GrantStatement[] {
  if (creators.length === 0) return [];
  const by = `FOR ROLE ${listOf(creators)} IN SCHEMA ${listOf(usedSchemas)}`;
  return [
    {
      sql: `ALTER DEFAULT PRIVILEGES ${by} GRANT SELECT ON ${kind} ${to}`,
      reason: `The same for the ${kind.toLowerCase()} that these roles create later.`,
    },
  ];
}

function bypassing({ roles, role, layout }: GrantRequest): readonly GrantStatement[] {
  const hidesRows =
    (layout.hasRowSecurity && (roles.has('source') || roles.has('snapshot'))) ||
    (layout.forcesRowSecurity && roles.has('target'));
  if (!hidesRows) return [];
  const reason =
    'A table has row-level security. A copy without the hidden rows would be wrong, so it fails.';
  return [{ sql: `ALTER ROLE ${quoteIdentifier(role)} BYPASSRLS;`, reason }];
}

function replacing({ role, layout }: GrantRequest): readonly GrantStatement[] {
  const to = `TO ${quoteIdentifier(role)};`;
  const closed = layout.schemas.filter((schema) => !layout.openSchemas.includes(schema));
  return [
    ...layout.owners.map((owner) => ({
      sql: `GRANT ${quoteIdentifier(owner)} ${to}`,
      reason:
        'Only an owner can swap a table, recreate its foreign keys, disable its triggers and set its sequences.',
    })),
    ...(closed.length === 0
      ? []
      : [
          {
            sql: `GRANT USAGE, CREATE ON SCHEMA ${listOf(closed)} ${to}`,
            reason: 'A job creates missing tables and replacement tables in the schema.',
          },
        ]),
    ...layout.taken.map((object) => ({
      sql: `ALTER ${object} OWNER ${to}`,
      reason: 'Its owner is a superuser. Membership in a superuser would make the role one, too.',
    })),
  ];
}

function restoring(request: GrantRequest): readonly GrantStatement[] {
  const { role, objectOwners, buildRole } = request;
  const to = `TO ${quoteIdentifier(role)};`;
  return [
    {
      sql: `ALTER ROLE ${quoteIdentifier(role)} CREATEDB;`,
      reason: 'The agent loads a new database, which then replaces this one.',
    },
    {
      sql: `GRANT CONNECT ON DATABASE postgres ${to}`,
      reason: 'No session can rename its own database, so the agent renames it from another one.',
    },
    ...owningDatabase(request),
    ...(buildRole === undefined
      ? []
      : [
          {
            sql: `GRANT ${quoteIdentifier(buildRole)} ${to}`,
            reason: 'A job gives the objects that this role has created to the owner of the database.',
          },
        ]),
    ...objectOwners
      .filter((owner) => !actsAs(request, owner))
      .map((owner) => ({
        sql: `GRANT ${quoteIdentifier(owner)} ${to}`,
        reason: 'Objects of the snapshot belong to this role, and a restore gives them back to it.',
      })),
  ];
}

/** Returns whether the role is the owner, or a member of it because the database is also a target. */
function actsAs({ roles, role, layout }: GrantRequest, owner: string): boolean {
  return owner === role || (roles.has('target') && layout.owners.includes(owner));
}

function owningDatabase(request: GrantRequest): readonly GrantStatement[] {
  const { role, database, layout, objectOwners } = request;
  const { databaseOwner, isOwnedBySuperuser } = layout;
  const to = `TO ${quoteIdentifier(role)};`;
  const reason = 'Only an owner can rename or drop a database.';
  if (isOwnedBySuperuser) {
    const sql = `ALTER DATABASE ${quoteIdentifier(database)} OWNER ${to}`;
    return [{ sql, reason: `${reason} Its owner is a superuser.` }];
  }
  const isKnown = databaseOwner === undefined || objectOwners.includes(databaseOwner);
  if (isKnown || actsAs(request, databaseOwner)) return [];
  return [{ sql: `GRANT ${quoteIdentifier(databaseOwner)} ${to}`, reason }];
}

function listOf(names: readonly string[]): string {
  return names.map(quoteIdentifier).join(', ');
}

/** Returns a statement that lets a role read all present large objects. PostgreSQL has no GRANT for all of them. */
export function grantLargeObjects(role: string): string {
  const grant = `GRANT SELECT ON LARGE OBJECT %s TO ${quoteIdentifier(role).replaceAll('%', '%%')}`;
  const block = `
DECLARE item oid;
BEGIN
  FOR item IN SELECT oid FROM pg_catalog.pg_largeobject_metadata LOOP
    EXECUTE pg_catalog.format(${quoteLiteral(grant)}, item);
  END LOOP;
END `;
  return `DO ${quoteLiteral(block)};`;
}
