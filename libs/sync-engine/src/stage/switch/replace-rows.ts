import {
  type TableDescription,
  ENABLED_INSERT_RULES,
  ENABLED_TRIGGERS,
  FOREIGN_KEYS_INTO,
  quoteIdentifier,
  quoteTable,
  readMajorVersion,
  readRows,
} from '@understudy/postgres';
import type { LocatedClient } from '../../session/located-client.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { requireNone } from '../create/require-unaltered.js';
import { createKey, type KeyContext, type NewKey } from '../foreign-keys/create-key.js';
import type { KeyDefinition } from '../foreign-keys/key-definition.js';
import { keySql } from '../foreign-keys/staged-key.js';

/** Tables that were emptied for new rows, in a transaction that is not committed yet. */
export interface EmptiedTables {
  /**
   * Checks that triggers and rules of the tables are still disabled. An event trigger can add or enable some.
   * @throws SyncJobError table_altered
   */
  requireDisabled(): Promise<void>;
  /**
   * Enables the triggers and rules again, and creates the foreign keys again. The server then checks all rows of the
   * tables with these keys.
   * @returns the keys that stay NOT VALID, because the job keeps rows that violate them
   */
  restore(): Promise<readonly NewKey[]>;
}

/**
 * Empties tables without replacing them, so that dependent objects stay. Drops the foreign keys that
 * reference the tables, and disables the rules on INSERT and all user-defined triggers. `restore` reverses
 * these changes. Other tables are not emptied, because TRUNCATE runs without CASCADE.
 */
export async function emptyTables(
  client: LocatedClient,
  tables: readonly TableDescription[],
  context: KeyContext,
): Promise<EmptiedTables> {
  if (tables.length === 0)
    return { requireDisabled: () => Promise.resolve(), restore: () => Promise.resolve([]) };
  const oids = tables.map(({ oid }) => oid);
  const keys = await readRows<ForeignKey>(client, FOREIGN_KEYS_INTO, [oids]);
  const majorVersion = await readMajorVersion(client);
  const enabled = async () => ({
    triggers: (await client.query<Switched>(ENABLED_TRIGGERS, [oids])).rows,
    rules: (await client.query<Switched>(ENABLED_INSERT_RULES, [oids])).rows,
  });
  const { triggers, rules } = await enabled();
  for (const key of keys) {
    await client.query(`ALTER TABLE ${quoteTable(key)} DROP CONSTRAINT ${quoteIdentifier(key.name)}`);
  }
  await client.query(
    [
      ...triggers.map((trigger) => switchStatement(trigger, 'DISABLE', 'TRIGGER')),
      ...rules.map((rule) => switchStatement(rule, 'DISABLE', 'RULE')),
    ].join('; '),
  );
  // ONLY excludes child tables by inheritance. For a partitioned table, TRUNCATE must include the partitions.
  const names = tables.map(({ name, isPartitioned }) => (isPartitioned ? '' : 'ONLY ') + quoteTable(name));
  await client.query(`TRUNCATE ${names.join(', ')} CONTINUE IDENTITY RESTRICT`);
  return {
    async requireDisabled() {
      const found = await enabled();
      requireNone([...found.triggers, ...found.rules], client.context.tableIndexOf);
    },
    async restore() {
      // ALTER TABLE fails while deferred checks are pending.
      await client.query('SET CONSTRAINTS ALL IMMEDIATE');
      await client.query(
        [
          ...triggers.map((trigger) => switchStatement(trigger, ENABLE[trigger.state], 'TRIGGER')),
          ...rules.map((rule) => switchStatement(rule, ENABLE[rule.state], 'RULE')),
        ].join('; '),
      );
      const notValid: NewKey[] = [];
      for (const key of keys) {
        const created = newKey(key, context.plans, majorVersion);
        if (!(await createKey(client, created, context))) notValid.push(created);
      }
      return notValid;
    },
  };
}

interface ForeignKey extends Pick<
  KeyDefinition,
  'name' | 'columns' | 'definition' | 'comment' | 'isPartitioned' | 'isValidated'
> {
  readonly schema: string;
  readonly table: string;
  /** The oid of the listed table that the key references. */
  readonly referenced: string;
}

function newKey(key: ForeignKey, plans: readonly TablePlan[], majorVersion: number): NewKey {
  const { schema, table, referenced, ...definition } = key;
  const child = plans.find(({ name, target }) =>
    [name, ...(target?.partitions ?? [])].some((one) => one.schema === schema && one.table === table),
  );
  const parent = plans.find(({ target }) => target?.oid === referenced);
  return {
    ...{ name: key.name, columns: key.columns, ...keySql(definition, { schema, table }, majorVersion) },
    ...{ tableIndex: child?.index, referencedIndex: parent?.index },
  };
}

/** A trigger or a rule that is disabled during the switch. */
interface Switched {
  name: string;
  schema: string;
  table: string;
  /** The earlier value of pg_trigger.tgenabled or pg_rewrite.ev_enabled: O for origin, R for replica, A for always. */
  state: 'O' | 'R' | 'A';
}

const ENABLE = { O: 'ENABLE', R: 'ENABLE REPLICA', A: 'ENABLE ALWAYS' } as const;

function switchStatement(switched: Switched, how: string, kind: 'TRIGGER' | 'RULE'): string {
  return `ALTER TABLE ONLY ${quoteTable(switched)} ${how} ${kind} ${quoteIdentifier(switched.name)}`;
}
