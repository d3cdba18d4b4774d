import { readSqlName } from '@understudy/records';

/** A table as the catalog spells it. */
export interface TableName {
  readonly schema: string;
  readonly table: string;
}

/** Reads `t`, `schema.t` or `"Odd Schema"."T"` as SQL does: plain names fold to lower case. @returns undefined when it is none */
export function parseTableName(name: string): TableName | undefined {
  const parts = readSqlName(name);
  if (parts === undefined) return undefined;
  const [first = '', second] = parts;
  return second === undefined ? { schema: 'public', table: first } : { schema: first, table: second };
}
