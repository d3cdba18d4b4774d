import { EmptyState, ScrollList } from '@understudy/ui';

import { columnKey } from '../form/change-form.js';
import type { RuleRow } from '../form/visible-rows.js';
import { TEXTS } from '../texts.js';
import { ColumnRow, type RuleRowProps, TableRow } from './rule-rows.js';

const { rules: texts } = TEXTS;

export interface RulesListProps extends Omit<RuleRowProps<never>, 'row'> {
  readonly rows: readonly RuleRow[];
}

/** The lines of the tables and their columns that match the filter. */
export function RulesList({ rows, ...props }: RulesListProps) {
  return (
    <div className="border-t border-line">
      {rows.length === 0 ? (
        <EmptyState {...texts.noMatch} />
      ) : (
        <ScrollList label={texts.list} rows={rows} rowKey={keyOf}>
          {(row) =>
            row.kind === 'table' ? <TableRow row={row} {...props} /> : <ColumnRow row={row} {...props} />
          }
        </ScrollList>
      )}
    </div>
  );
}

function keyOf(row: RuleRow): string {
  return row.kind === 'table'
    ? `${row.table.id}`
    : columnKey({ tableId: row.table.id, column: row.column.name });
}
