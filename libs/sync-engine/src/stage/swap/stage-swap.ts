import { errorDetail, type EngineLog, quoteIdentifier, quoteTable, type Client } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import { ownersRightsAlone } from './only-owner-rights.js';
import type { TableSwap } from './swap-dump.js';
import { extendedStatistics, tableFacts } from './table-facts.js';
import { rememberObjects } from '../switch/object-catalog.sql.js';
import { asideSchema } from '../staging-names.js';
import { lockTables } from '../switch/switch-locks.js';

export interface StageSwapRequest {
  readonly jobId: string;
  readonly swap: TableSwap;
  /** How long others may queue behind the transaction while it waits for the tables. */
  readonly lockTryMs: number;
  readonly log: EngineLog;
}

/** Tables that stand in their real place, while those they are to replace stand aside. */
export interface StagedSwap {
  /** Table index → what the definitions of both say. */
  readonly facts: ReadonlyMap<number, string>;
  /** To be run when the rows are in, and everything is in its place. */
  readonly finishSql: string;
  /** Puts the old ones back, when the new ones are out of sight. */
  readonly backSql: string;
}

/**
 * Makes new tables in place of existing ones, in the transaction that stages the job. All of it is rehearsed, what comes after the rows too,
 * and looked at: where a new table would not be what the old one is, where the role may not do it, or somebody uses a table at the moment,
 * nothing of it stays, and the tables are to be rewritten.
 * @returns undefined then
 */
export async function stageSwap(client: Client, request: StageSwapRequest): Promise<StagedSwap | undefined> {
  await client.query('SAVEPOINT swap');
  try {
    const staged = await rehearse(client, request);
    await client.query('RELEASE SAVEPOINT swap');
    return staged;
  } catch (error) {
    // Throws when the session is gone.
    await client.query('ROLLBACK TO SAVEPOINT swap; RELEASE SAVEPOINT swap');
    request.log.info({ detail: errorDetail(error) }, 'existing tables will be rewritten');
    return undefined;
  }
}

async function rehearse(client: Client, { jobId, swap, lockTryMs }: StageSwapRequest): Promise<StagedSwap> {
  const { tables } = swap;
  const locks = tables.map((table) => ({ oid: table.oid, sql: `ONLY ${quoteTable(table)}`, partitions: [] }));
  await lockTables(client, locks, lockTryMs);
  const old = await tableFacts(client, tables);
  const statistics = await extendedStatistics(client, tables);
  const finishSql = statistics.map(({ sql }) => sql).join('') + swap.finishSql;
  const backSql = await standAside(client, jobId, [
    ...tables.map((name) => ({ type: 'TABLE', name })),
    ...statistics.map((name) => ({ type: 'STATISTICS', name })),
  ]);
  await client.query(rememberObjects(jobId));
  await client.query(swap.createSql);
  await ownersRightsAlone(client, tables);
  if (swap.grantSql !== '') await client.query(swap.grantSql);
  await client.query(`SAVEPOINT finished; ${finishSql}`);
  const made = await tableFacts(client, tables);
  const facts = new Map<number, string>();
  for (const [i, { tableIndex }] of tables.entries()) {
    const fact = old[i];
    if (fact === undefined || fact !== made[i]) throw new Error(`table ${tableIndex} would not be the same`);
    facts.set(tableIndex, fact);
  }
  await client.query('ROLLBACK TO SAVEPOINT finished; RELEASE SAVEPOINT finished');
  return { facts, finishSql, backSql };
}

/** Indexes, sequences and constraints go with their table, and expressions follow. @returns what puts everything back */
async function standAside(
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
