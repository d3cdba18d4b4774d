import { EmptyState, ScrollList } from '@understudy/ui';

import { columnKey } from '../form/change-form.js';
import type { TableForm } from '../form/job-form.js';
import type { ProblemIndex } from '../form/problem-index.js';
import type { RuleRow } from '../form/visible-rows.js';
import { TEXTS } from '../texts.js';
import { ColumnRow, TableRow } from './rule-rows.js';
import type { OpenDialog } from './rules-dialogs.js';
import type { Selection } from './use-selection.js';

const { rules: texts } = TEXTS;

export interface RulesListProps {
  readonly rows: readonly RuleRow[];
  readonly problems: ProblemIndex;
  readonly selection: Selection;
  readonly onUnfold: (tableId: number, isUnfolded: boolean) => void;
  readonly onRemove: (table: TableForm) => void;
  readonly onOpen: (dialog: OpenDialog) => void;
}

/** The lines of the tables and their columns that match the filter. */
export function RulesList({ rows, ...props }: RulesListProps) {
  return (
    <div className="border-t border-line">
      {rows.length === 0 ? (
        <EmptyState {...texts.noMatch} />
      ) : (
        <ScrollList label={texts.list} rows={rows} rowKey={keyOf}>
          {(row) => <RuleLine row={row} {...props} />}
        </ScrollList>
      )}
    </div>
  );
}

type RuleLineProps = Omit<RulesListProps, 'rows'> & { readonly row: RuleRow };

function RuleLine({ row, problems, selection, onUnfold, onRemove, onOpen }: RuleLineProps) {
  const { table } = row;
  const { id: tableId } = table;
  if (row.kind === 'column') {
    const { column } = row;
    return (
      <ColumnRow
        column={column}
        isSelected={selection.has(table, column)}
        problem={column.rule === undefined ? undefined : problems.ofColumn(tableId, column.name)}
        onSelect={(isSelected) => selection.set(table, [column], isSelected)}
        onEdit={() => onOpen({ kind: 'column', tableId, column: column.name })}
      />
    );
  }
  return (
    <TableRow
      table={table}
      isOpen={row.isOpen}
      shown={row.shown}
      selected={selection.ofTable(table)}
      problems={problems.ofTable(tableId)}
      onToggle={() => onUnfold(tableId, !row.isOpen)}
      onSelect={(isSelected) => selection.set(table, table.columns, isSelected)}
      onSettings={() => onOpen({ kind: 'settings', tableId })}
      onAddColumns={() => onOpen({ kind: 'columns', tableId })}
      onRemove={() => onRemove(table)}
    />
  );
}

function keyOf(row: RuleRow): string {
  return row.kind === 'table'
    ? `${row.table.id}`
    : columnKey({ tableId: row.table.id, column: row.column.name });
}
