import {
  type Client,
  type TableDescription,
  ENABLED_INSERT_RULES,
  ENABLED_TRIGGERS,
  FOREIGN_KEYS_INTO,
  quoteIdentifier,
  quoteLiteral,
  quoteTable,
} from '@understudy/postgres';
import { guard, type FailureContext } from '../../session/guard.js';

/** Tables emptied inside the target's transaction, ready for new rows. */
export interface EmptiedTables {
  /** Puts triggers, rules and foreign keys back as they were; the keys are checked against all rows. */
  restore(): Promise<void>;
}

/**
 * Empties tables that keep their object, with what hangs on it: foreign keys that point at them are dropped until the new
 * rows are in, user triggers and rules on INSERT are off. Rows of other tables are not touched (`TRUNCATE` without CASCADE).
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
  const triggers = (await client.query<Switched>(ENABLED_TRIGGERS, [oids])).rows;
  const rules = (await client.query<Switched>(ENABLED_INSERT_RULES, [oids])).rows;
  for (const key of keys) {
    await client.query(`ALTER TABLE ${quoteTable(key)} DROP CONSTRAINT ${quoteIdentifier(key.name)}`);
  }
  await client.query(
    [
      ...triggers.map((trigger) => switchStatement(trigger, 'DISABLE', 'TRIGGER')),
      ...rules.map((rule) => switchStatement(rule, 'DISABLE', 'RULE')),
    ].join('; '),
  );
  // ONLY: inheritance children are tables of their own; a partitioned table has no rows but its partitions'.
  const names = tables.map(({ name, isPartitioned }) => (isPartitioned ? '' : 'ONLY ') + quoteTable(name));
  await client.query(`TRUNCATE ${names.join(', ')} CONTINUE IDENTITY RESTRICT`);
  return {
    async restore() {
      // ALTER TABLE refuses tables with deferred checks outstanding.
      await client.query('SET CONSTRAINTS ALL IMMEDIATE');
      await client.query(
        [
          ...triggers.map((trigger) => switchStatement(trigger, ENABLE[trigger.state], 'TRIGGER')),
          ...rules.map((rule) => switchStatement(rule, ENABLE[rule.state], 'RULE')),
        ].join('; '),
      );
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
interface Switched {
  name: string;
  schema: string;
  table: string;
  /** pg_trigger.tgenabled, pg_rewrite.ev_enabled: origin, replica or always. */
  state: 'O' | 'R' | 'A';
}

const ENABLE = { O: 'ENABLE', R: 'ENABLE REPLICA', A: 'ENABLE ALWAYS' } as const;

function switchStatement(switched: Switched, how: string, kind: 'TRIGGER' | 'RULE'): string {
  return `ALTER TABLE ONLY ${quoteTable(switched)} ${how} ${kind} ${quoteIdentifier(switched.name)}`;
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
