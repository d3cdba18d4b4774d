import type { MissingPrivilege, Received } from './failure.js';

/**
 * Describes a privilege that a role lacks, with the SQL that grants it. All names in the SQL are quoted, so
 * that users can paste it. If the agent's policy hides a name (`report_names: false`), the SQL contains a
 * placeholder such as `<schema>`.
 * @param table the table's name as the job writes it, in the syntax of SQL
 */
export function missingPrivilege(
  missing: Received<MissingPrivilege>,
  side: 'source' | 'target' | undefined,
  table: string | undefined,
): string {
  const where = side === undefined ? 'In a database' : `In the ${side} database`;
  const { role, object, privilege, sql } = privilegeGrant(missing, table);
  if (missing.privilege === 'bypass_row_security') {
    return `${where}, row-level security hides rows of ${object} from the role ${role}. As a superuser: ${String(sql)}`;
  }
  if (missing.privilege === 'ownership') {
    return `${where}, the role ${role} must be able to act as the owner of ${object}, to drop and recreate foreign keys, disable and enable triggers and rules, and set sequences. As a superuser: ${String(sql)}`;
  }
  if (sql === undefined) return `${where}, the role ${role} lacks a privilege on ${object}.`;
  return `${where}, the role ${role} lacks ${privilege} on ${object}. As its owner: ${sql}`;
}

/** A privilege in the words of SQL, and the statement that grants it. */
export interface PrivilegeGrant {
  /** The role as a quoted name, or a placeholder. */
  readonly role: string;
  /** For example `SELECT`, `BYPASSRLS` or `OWNERSHIP`. */
  readonly privilege: string;
  /** The kind and the quoted name of the object, for example `TABLE "public"."orders"`. */
  readonly object: string;
  /** Undefined for a privilege that this version does not know. */
  readonly sql: string | undefined;
}

/**
 * Describes a missing privilege in SQL. If the object's owner is a superuser, `missing` does not name the
 * owner. The role then becomes the owner itself, because a member of a superuser can do everything.
 * @param table the table's name in the syntax of SQL, if `missing` does not contain it
 */
export function privilegeGrant(
  missing: Received<MissingPrivilege>,
  table: string | undefined,
): PrivilegeGrant {
  const role = missing.role === undefined ? '<role of the connection>' : quoteIdentifier(missing.role);
  const object = objectOf(missing, table);
  const privilege = NAMES[missing.privilege] ?? missing.privilege.toUpperCase();
  return { role, privilege, object, sql: sqlOf(missing, { role, privilege, object }) };
}

function sqlOf(
  missing: Received<MissingPrivilege>,
  { role, privilege, object }: Omit<PrivilegeGrant, 'sql'>,
): string | undefined {
  switch (missing.privilege) {
    case 'bypass_row_security':
      return `ALTER ROLE ${role} BYPASSRLS;`;
    case 'ownership':
      if (missing.owner !== undefined) return `GRANT ${quoteIdentifier(missing.owner)} TO ${role};`;
      return missing.role === undefined
        ? `GRANT <its owner> TO ${role};`
        : `ALTER ${object} OWNER TO ${role};`;
    default:
      return GRANTABLE.has(privilege) ? `GRANT ${privilege} ON ${object} TO ${role};` : undefined;
  }
}

const NAMES: Readonly<Record<string, string>> = {
  bypass_row_security: 'BYPASSRLS',
  ownership: 'OWNERSHIP',
};
const GRANTABLE = new Set(['SELECT', 'INSERT', 'TRUNCATE', 'REFERENCES', 'USAGE', 'CREATE']);

function objectOf(
  { objectKind, schema, object }: Received<MissingPrivilege>,
  table: string | undefined,
): string {
  const path = [schema, object]
    .flatMap((name) => (name === undefined ? [] : [quoteIdentifier(name)]))
    .join('.');
  switch (objectKind) {
    case 'schema':
      return `SCHEMA ${path || '<schema>'}`;
    case 'database':
      return `DATABASE ${path || '<database>'}`;
    case 'sequence':
      return `SEQUENCE ${path || '<sequence>'}`;
    default:
      return `TABLE ${path || (table ?? '<table>')}`;
  }
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
