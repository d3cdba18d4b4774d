import {
  type DatabaseLayout,
  type DatabaseRole,
  type GrantRequest,
  type GrantStatement,
  quoteIdentifier,
} from '@understudy/postgres';

/** The result of the command. `--json` prints it as it is. */
export interface Grants {
  readonly role: string;
  readonly database: string;
  readonly roles: readonly DatabaseRole[];
  /** False if the catalogs were not read, so that the statements are for the schema public. */
  readonly connected: boolean;
  readonly statements: readonly GrantStatement[];
  /** Statements with a condition, or a placeholder in angle brackets. The script contains them as comments. */
  readonly toComplete: readonly GrantStatement[];
}

/** The layout that the command assumes if it cannot read the catalogs. */
export const GENERIC_LAYOUT: DatabaseLayout = {
  roleExists: false,
  isSuperuser: false,
  schemas: ['public'],
  usedSchemas: ['public'],
  openSchemas: [],
  owners: [],
  creators: [],
  taken: [],
  hasRowSecurity: false,
  forcesRowSecurity: false,
  hasLargeObjects: false,
  databaseOwner: undefined,
  isOwnedBySuperuser: false,
};

/**
 * Lists the statements for facts that the command does not know. With a layout, only the owners of a future
 * snapshot's objects are unknown.
 */
export function linesToComplete(
  { roles, role }: Omit<GrantRequest, 'layout'>,
  layout: DatabaseLayout | undefined,
): readonly GrantStatement[] {
  const to = `TO ${quoteIdentifier(role)};`;
  const future = (kind: 'TABLES' | 'SEQUENCES') => ({
    sql: `ALTER DEFAULT PRIVILEGES FOR ROLE <creator> IN SCHEMA public GRANT SELECT ON ${kind} ${to}`,
    reason: `For each role that creates tables: the same for the ${kind.toLowerCase()} of the future.`,
  });
  const reads = roles.has('source') || roles.has('snapshot');
  const unknown: readonly (GrantStatement | false)[] = [
    reads && future('TABLES'),
    reads && future('SEQUENCES'),
    (reads || roles.has('target')) && {
      sql: `ALTER ROLE ${quoteIdentifier(role)} BYPASSRLS;`,
      reason: 'If a table has row-level security, or FORCE ROW LEVEL SECURITY on a target.',
    },
    roles.has('target') && {
      sql: `GRANT <owner> ${to}`,
      reason: 'For each role that owns tables or sequences. Do not grant a superuser.',
    },
    roles.has('target') && {
      sql: `ALTER TABLE <table> OWNER ${to}`,
      reason: 'For each table of a superuser.',
    },
    (roles.has('restore') || roles.has('replace')) && {
      sql: `GRANT <owner of the database> ${to}`,
      reason: 'If the database exists. If a superuser owns it, use ALTER DATABASE … OWNER TO instead.',
    },
  ];
  const always: readonly (GrantStatement | false)[] = [
    roles.has('restore') && {
      sql: `GRANT <owner of objects> ${to}`,
      reason:
        'For each other role that owns objects of the snapshots. A restore gives the objects back to it.',
    },
  ];
  return [...(layout === undefined ? unknown : []), ...always].filter((line) => line !== false);
}

/** Returns the SQL as a script for psql. Every line that is not SQL is a comment. */
export function grantScript({ role, database, roles, connected, statements, toComplete }: Grants): string {
  const [quotedRole, quotedDatabase] = [quoteIdentifier(role), quoteIdentifier(database)];
  const head = [
    `Least privileges of the role ${quotedRole} in the database ${quotedDatabase}, for: ${roles.join(', ')}.`,
    connected
      ? 'Written for the present schemas, owners and tables. Run the command again after you add some.'
      : 'Written without a connection. Repeat the statements for each schema, and complete the last lines.',
    'Review this file. Then run it as an administrator, connected to this database:',
    '  psql --set=ON_ERROR_STOP=1 --single-transaction --file=grants.sql <URL of the database>',
    `Then set the password of the role in psql: \\password ${quotedRole}`,
  ];
  const blocks = [
    comment(head),
    ...statements.map(({ sql, reason }) => `${comment([reason])}\n${sql}`),
    ...toComplete.map(({ sql, reason }) => comment([reason, sql])),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function comment(lines: readonly string[]): string {
  // A line end in a name would end the comment.
  return lines.map((line) => `-- ${line.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?')}`).join('\n');
}
