import { parseTableName } from '@understudy/postgres';
import type { HeldTable } from '../source/keeper-messages.js';
import { type SyncJobCommand, SyncJobError } from '@understudy/sync-job';

/**
 * Lists the tables of a job. @throws SyncJobError table_not_found for an invalid name, listed_twice for a
 * duplicate
 */
export function listTables({ tables }: SyncJobCommand): readonly HeldTable[] {
  const seen = new Set<string>();
  return tables.map((rules, index) => {
    const name = parseTableName(rules.name);
    if (name === undefined)
      throw new SyncJobError({ code: 'table_not_found', side: 'source', tableIndex: index });
    const key = JSON.stringify([name.schema, name.table]);
    if (seen.has(key)) throw new SyncJobError({ code: 'listed_twice', tableIndex: index });
    seen.add(key);
    return { index, name };
  });
}
