import type { SyncJobDefinition } from '@understudy/client';
import { exactFieldPath } from '@understudy/sync-job';

import { FORM_NOTES } from '../texts.js';
import {
  type ColumnForm,
  isUnlistedColumns,
  isUnlistedTables,
  type JobForm,
  type TableForm,
} from './job-form.js';

/** Returns the form of a job that the user copies. The parts that the server withholds are empty. */
export function fromDefinition({ definition, withheld }: SyncJobDefinition): JobForm {
  const { name, source, target, agent, tables, unlisted_columns: unlisted, seed, now } = definition;
  return {
    name,
    source: source.connection_string ?? '',
    target: target.connection_string ?? '',
    ...(agent && { agent }),
    tables: tables.map((table, index) => toTable(table, index, withheld)),
    unlistedColumns: isUnlistedColumns(unlisted) ? unlisted : 'reject',
    unlistedTables: toUnlistedTables(definition.unlisted_tables),
    ignoredTables: (definition.ignored_tables ?? []).join('\n'),
    refreshMaterializedViews: definition.refresh_materialized_views ?? false,
    omitsSourceCode: definition.source_code !== undefined,
    seed: String(seed),
    now,
  };
}

/** A mode that this page does not know is replaced by the strictest one. */
function toUnlistedTables(mode: string = 'ignore'): JobForm['unlistedTables'] {
  return isUnlistedTables(mode) ? mode : 'reject';
}

type DefinedTable = SyncJobDefinition['definition']['tables'][number];

function toTable(table: DefinedTable, index: number, withheld: readonly string[]): TableForm {
  const path = `tables[${index}]`;
  const { name, columns, unlisted_columns: unlisted, subset } = table;
  const ownWithheld = withheld.filter((each) => each.startsWith(`${path}.columns`));
  return {
    id: index,
    name,
    columns: Object.entries(columns).map(([column, rule]) =>
      toColumn(column, rule, exactFieldPath(`${path}.columns`, column), ownWithheld),
    ),
    ...(isUnlistedColumns(unlisted) && { unlistedColumns: unlisted }),
    where: '',
    ...(subset?.where === null && { needsWhere: true }),
    limit: subset?.limit ?? null,
  };
}

function toColumn(name: string, rule: unknown, path: string, withheld: readonly string[]): ColumnForm {
  const isWithheld = withheld.some((each) => isWithin(each, path));
  return { name, rule: rule ?? undefined, ...(isWithheld && { note: FORM_NOTES.withheldRule }) };
}

/** Returns whether a path is another one, or below it. */
export function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`);
}
