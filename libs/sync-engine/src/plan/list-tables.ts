import { parseTableName } from '@understudy/postgres';
import type { HeldTable } from '../source/keeper-messages.js';
import { type SyncJobCommand, SyncJobError } from '@understudy/sync-job';

/** The tables of a job, each once. @throws SyncJobError table_not_found for no name of SQL, rule_invalid for one listed twice */
export function listTables({ tables }: SyncJobCommand): readonly HeldTable[] {
  const seen = new Set<string>();
  return tables.map((rules, index) => {
    const name = parseTableName(rules.name);
    if (name === undefined)
      throw new SyncJobError({ code: 'table_not_found', side: 'source', tableIndex: index });
    const key = JSON.stringify([name.schema, name.table]);
    if (seen.has(key)) {
      throw new SyncJobError(
        { code: 'rule_invalid', tableIndex: index },
        { cause: new Error('the table is listed twice') },
      );
    }
    seen.add(key);
    return { index, name };
  });
}
