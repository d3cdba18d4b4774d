import { errorDetail, type EngineLog, quoteIdentifier, quoteTable, type Client } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import type { KeyDefinition } from '../foreign-keys/key-definition.js';
import { keysOnEmptyTables } from '../foreign-keys/staged-key.js';
import { keepOnlyOwnerRights } from './only-owner-rights.js';
import type { TableSwap } from './swap-dump.js';
import { extendedStatistics, tableFacts } from './table-facts.js';
import { recordKnownObjects } from '../switch/object-catalog.sql.js';
import { asideSchema } from '../staging-names.js';
import { lockTables } from '../switch/switch-locks.js';
import { driverError } from '../../session/guard.js';

export interface StageSwapRequest {
  readonly jobId: string;
  readonly swap: TableSwap;
  /**
   * How long the transaction may wait for the locks of all tables, in milliseconds. During the wait, a
   * session that needs one of the tables waits behind the transaction.
   */
  readonly lockTryMs: number;
  readonly log: EngineLog;
}

/**
 * Replacement tables that are still in the real schemas. The existing tables are in other schemas until
 * `backSql` runs.
 */
export interface StagedSwap {
  /** The digest of each existing table's definition, by table index. Its replacement has the same digest. */
  readonly facts: ReadonlyMap<number, string>;
  /** The post-data SQL. Run it in the switch, after all objects have moved to their real schemas. */
  readonly postDataSql: string;
  /** The foreign keys of the tables. */
  readonly keys: readonly KeyDefinition[];
  /** SQL that moves the existing tables back. Run it after the replacement tables have moved to hidden schemas. */
  readonly backSql: string;
}

/**
 * Creates replacement tables for existing tables, in the transaction that stages the job. To compare each replacement
 * with its existing table, it runs the post-data SQL and rolls that SQL back afterwards. It rolls back all replacements
 * if a definition differs or a statement fails, for example because the role lacks a right.
 * @returns undefined if it rolled back the replacements, so that the switch must rewrite the existing tables
 */
export async function stageSwap(client: Client, request: StageSwapRequest): Promise<StagedSwap | undefined> {
  await client.query('SAVEPOINT swap');
  try {
    const staged = await rehearse(client, request);
    await client.query('RELEASE SAVEPOINT swap');
    return staged;
  } catch (error) {
    // If the session has ended, this throws.
    await client.query('ROLLBACK TO SAVEPOINT swap; RELEASE SAVEPOINT swap');
    request.log.info({ detail: errorDetail(driverError(error)) }, 'existing tables will be rewritten');
    return undefined;
  }
}

async function rehearse(client: Client, { jobId, swap, lockTryMs }: StageSwapRequest): Promise<StagedSwap> {
  const { tables } = swap;
  const locks = tables.map((table) => ({ oid: table.oid, sql: `ONLY ${quoteTable(table)}`, partitions: [] }));
  await lockTables(client, locks, lockTryMs);
  const old = await tableFacts(client, tables);
  const statistics = await extendedStatistics(client, tables);
  const postDataSql = statistics.map(({ sql }) => sql).join('') + swap.postDataSql;
  const backSql = await moveAside(client, jobId, [
    ...tables.map((name) => ({ type: 'TABLE', name })),
    ...statistics.map((name) => ({ type: 'STATISTICS', name })),
  ]);
  await client.query(recordKnownObjects(jobId));
  await client.query(swap.createSql);
  await keepOnlyOwnerRights(client, tables);
  if (swap.grantSql !== '') await client.query(swap.grantSql);
  await client.query(`SAVEPOINT finished; ${postDataSql}\n${keysOnEmptyTables(swap.keys)}`);
  const made = await tableFacts(client, tables);
  const facts = new Map<number, string>();
  for (const [i, { tableIndex }] of tables.entries()) {
    const fact = old[i];
    if (fact === undefined || fact !== made[i])
      throw new Error(`the replacement of table ${tableIndex} has another definition`);
    facts.set(tableIndex, fact);
  }
  await client.query('ROLLBACK TO SAVEPOINT finished; RELEASE SAVEPOINT finished');
  return { facts, postDataSql, keys: swap.keys, backSql };
}

/**
 * Moves objects to other schemas. Indexes, owned sequences and constraints move with their table. Expressions that
 * use the objects stay valid.
 * @returns SQL that moves everything back
 */
async function moveAside(
  client: Client,
  jobId: string,
  objects: readonly { readonly type: string; readonly name: TableName }[],
): Promise<string> {
  const schemas = [...new Set(objects.map(({ name }) => name.schema))];
  const aside = new Map(schemas.map((schema, n) => [schema, asideSchema(jobId, n + 1)]));
  const moves = objects.map(({ type, name: { schema, table } }) => {
    const there = aside.get(schema) ?? '';
    return {
      off: `ALTER ${type} ${quoteTable({ schema, table })} SET SCHEMA ${quoteIdentifier(there)}`,
      back: `ALTER ${type} ${quoteTable({ schema: there, table })} SET SCHEMA ${quoteIdentifier(schema)}`,
    };
  });
  const names = [...aside.values()].map(quoteIdentifier);
  const made = names.map((name) => `CREATE SCHEMA ${name}`);
  await client.query([...made, ...moves.map(({ off }) => off)].join('; '));
  return [...moves.map(({ back }) => back), `DROP SCHEMA ${names.join(', ')} RESTRICT`].join('; ');
}
