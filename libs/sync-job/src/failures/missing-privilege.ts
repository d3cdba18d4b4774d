import type { MissingPrivilege, Received } from './failure.js';

/**
 * What a role lacks, and the SQL that grants it. Made of names alone, quoted, so that it can be pasted; a name that an
 * agent keeps for itself (`report_names: false` in its policy) leaves a gap to fill.
 * @param table the problem's table as the job spells it, which is SQL
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
    return `${where}, row-level security would hide rows of ${object} from the role ${role}. As a superuser: ALTER ROLE ${role} BYPASSRLS;`;
  }
  if (missing.privilege === 'ownership') {
    const owner = missing.owner === undefined ? '<its owner>' : quoteIdentifier(missing.owner);
    return `${where}, the role ${role} has to act as the owner of ${object}: foreign keys are dropped and made again, triggers and rules switched off and on, sequences moved. As a superuser: GRANT ${owner} TO ${role};`;
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
