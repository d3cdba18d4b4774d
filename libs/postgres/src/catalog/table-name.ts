import { readSqlName } from '@understudy/records';
import type { TableName } from '@understudy/sync-job';

/** Reads `t`, `schema.t` or `"Odd Schema"."T"` as SQL does: plain names fold to lower case. @returns undefined when it is none */
export function parseTableName(name: string): TableName | undefined {
  const parts = readSqlName(name);
  if (parts === undefined) return undefined;
  const [first = '', second] = parts;
  return second === undefined ? { schema: 'public', table: first } : { schema: first, table: second };
}
