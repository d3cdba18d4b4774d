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
  const role = missing.role === undefined ? '<role of the connection>' : quoteIdentifier(missing.role);
  const object = objectOf(missing, table);
  if (missing.privilege === 'bypass_row_security') {
    return `${where}, row-level security hides rows of ${object} from the role ${role}. As a superuser: ALTER ROLE ${role} BYPASSRLS;`;
  }
  if (missing.privilege === 'ownership') {
    const owner = missing.owner === undefined ? '<its owner>' : quoteIdentifier(missing.owner);
    return `${where}, the role ${role} must be able to act as the owner of ${object}, to drop and recreate foreign keys, disable and enable triggers and rules, and set sequences. As a superuser: GRANT ${owner} TO ${role};`;
  }
  const privilege = missing.privilege.toUpperCase();
  if (!GRANTABLE.has(privilege)) return `${where}, the role ${role} lacks a privilege on ${object}.`;
  return `${where}, the role ${role} lacks ${privilege} on ${object}. As its owner: GRANT ${privilege} ON ${object} TO ${role};`;
}

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

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
