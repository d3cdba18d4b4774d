import type { Client } from 'pg';
import type { TableDescription } from './describe-table.js';
import { ENABLED_HOOKS, FOREIGN_KEYS_INTO } from './foreign-keys.sql.js';
import { guard } from './guard.js';
import { quoteIdentifier, quoteLiteral, quoteTable } from './quote.js';
import type { FailureContext } from './server-failure.js';

/** Tables emptied inside the target's transaction, ready for new rows. */
export interface EmptiedTables {
  /** Puts triggers, rules and foreign keys back as they were; the keys are checked against all rows. */
  restore(): Promise<void>;
}

/**
 * Empties tables that keep their object, with what hangs on it: foreign keys that point at them are dropped until the new
 * rows are in, users' triggers and rules are off. Rows of other tables are not touched (`TRUNCATE` without CASCADE).
 * @param context finds the index of a table by the oid of its description on the target
 */
export async function emptyTables(
  client: Client,
  tables: readonly TableDescription[],
  context: FailureContext,
): Promise<EmptiedTables> {
  if (tables.length === 0) return { restore: () => Promise.resolve() };
  const oids = tables.map(({ oid }) => oid);
  const keys = (await client.query<ForeignKey>(FOREIGN_KEYS_INTO, [oids])).rows;
  const hooks = (await client.query<Hook>(ENABLED_HOOKS, [oids])).rows;
  for (const key of keys) {
    await client.query(`ALTER TABLE ${quoteTable(key)} DROP CONSTRAINT ${quoteIdentifier(key.name)}`);
  }
  for (const hook of hooks) {
    await client.query(
      `ALTER TABLE ONLY ${quoteTable(hook)} DISABLE ${hook.kind} ${quoteIdentifier(hook.name)}`,
    );
  }
  // ONLY: inheritance children are tables of their own; a partitioned table has no rows but its partitions'.
  const names = tables.map(({ name, isPartitioned }) => (isPartitioned ? '' : 'ONLY ') + quoteTable(name));
  await client.query(`TRUNCATE ${names.join(', ')} CONTINUE IDENTITY RESTRICT`);
  return {
    async restore() {
      // ALTER TABLE refuses tables with deferred checks outstanding.
      await client.query('SET CONSTRAINTS ALL IMMEDIATE');
      for (const hook of hooks) await client.query(enableStatement(hook));
      for (const key of keys) await addForeignKey(client, key, referencedContext(key, tables, context));
    },
  };
}

interface ForeignKey {
  name: string;
  schema: string;
  table: string;
  referenced: string;
  definition: string;
  comment: string | null;
}

/** A trigger or a rule. */
interface Hook {
  kind: 'TRIGGER' | 'RULE';
  name: string;
  schema: string;
  table: string;
  /** Of pg_trigger.tgenabled and pg_rewrite.ev_enabled: origin, replica or always. */
  state: 'O' | 'R' | 'A';
}

function enableStatement(hook: Hook): string {
  const mode = { O: '', R: 'REPLICA ', A: 'ALWAYS ' }[hook.state];
  return `ALTER TABLE ONLY ${quoteTable(hook)} ENABLE ${mode}${hook.kind} ${quoteIdentifier(hook.name)}`;
}

async function addForeignKey(client: Client, key: ForeignKey, context: FailureContext): Promise<void> {
  const name = quoteIdentifier(key.name);
  await guard(context, () =>
    client.query(`ALTER TABLE ${quoteTable(key)} ADD CONSTRAINT ${name} ${key.definition}`),
  );
  if (key.comment === null) return;
  await client.query(`COMMENT ON CONSTRAINT ${name} ON ${quoteTable(key)} IS ${quoteLiteral(key.comment)}`);
}

/** A broken key of a table outside the job is reported at the table of the job that it points at. */
function referencedContext(
  key: ForeignKey,
  tables: readonly TableDescription[],
  context: FailureContext,
): FailureContext {
  const referenced = tables.find(({ oid }) => oid === key.referenced);
  const index = referenced && context.tableIndexOf?.(referenced.name.schema, referenced.name.table);
  return index === undefined ? context : { ...context, tableIndex: index };
}
