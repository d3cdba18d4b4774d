import { type FieldProblem, kindOf } from '@understudy/field-problems';
import { MAX_IDENTIFIER_BYTES, readTableName } from './table-name.js';

/** Checks the names of `tables` one after another: each is a table's, and of a table that none before it names. */
export function tableNameCheck(): (name: string, index: number, field: string) => FieldProblem[] {
  const seen = new Map<string, number>();
  return (name, index, field) => {
    const read = readTableName(name);
    if (!read) {
      const message = `expected a table name as in SQL (t, schema.t, "Odd Schema"."T"), at most ${MAX_IDENTIFIER_BYTES} bytes a part, got ${kindOf(name)}`;
      return [{ field, message }];
    }
    const key = JSON.stringify([read.schema, read.table]);
    const earlier = seen.get(key);
    if (earlier !== undefined) return [{ field, message: `is the same table as tables[${earlier}]` }];
    seen.set(key, index);
    return [];
  };
}
