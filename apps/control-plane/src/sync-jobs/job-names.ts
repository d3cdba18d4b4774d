import type { Names } from '../agent-work/failure-message.js';
import type { JobDefinition, JobTable } from './sync-job.js';

export function namesOf(definition: JobDefinition): Names {
  return {
    table: (index) => (index === undefined ? undefined : definition.tables[index]?.name),
    column: (table, column) =>
      table === undefined || column === undefined ? undefined : columnName(definition.tables[table], column),
  };
}

/** Past the rules' columns come those that the table's `where` names. */
function columnName(table: JobTable | undefined, index: number): string | undefined {
  if (table === undefined) return undefined;
  return table.columns[index]?.name ?? table.subset?.whereColumns?.[index - table.columns.length];
}
