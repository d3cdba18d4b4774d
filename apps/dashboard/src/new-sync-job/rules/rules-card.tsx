import {
  Button,
  Card,
  EmptyState,
  FilterBar,
  Notice,
  Progress,
  ScrollList,
  SearchField,
  Select,
  toast,
} from '@understudy/ui';
import { Plus, Table2 } from 'lucide-react';
import { useMemo, useState } from 'react';

import type { CheckedRules } from './use-rule-problems.js';
import { addColumns, addTables, changeTable, columnKey, removeTable, setRules } from '../form/change-form.js';
import { coverageOf, type JobForm, type TableForm } from '../form/job-form.js';
import type { ProblemIndex } from '../form/problem-index.js';
import { type RowFilter, type RuleRow, visibleRows } from '../form/visible-rows.js';
import { TEXTS } from '../texts.js';
import { BulkBar, ColumnRow, TableRow } from './rule-rows.js';
import { NamesDialog, TableDialog } from './table-dialogs.js';
import { useSelection } from './use-selection.js';

const { rules: texts } = TEXTS;
const STATUSES = ['open', 'masked', 'kept', 'problem'] as const;
const ANY = 'any';
/** On a narrow screen, tables with more columns in all than this are folded at first. */
const MAX_OPEN_COLUMNS = 12;
const NO_FILTER: RowFilter = { search: '', status: null };

/** The dialog that is open, except that of a rule. */
type OpenDialog =
  | { readonly kind: 'tables' }
  | { readonly kind: 'settings' | 'columns'; readonly tableId: number };

export interface RulesCardProps {
  readonly form: JobForm;
  readonly onChange: (change: (form: JobForm) => JobForm) => void;
  readonly problems: ProblemIndex;
  readonly checks: CheckedRules['state'];
  readonly onEdit: (tableId: number, column: string) => void;
  readonly onEditSelected: (isChosen: Parameters<typeof setRules>[1], count: number) => void;
  /** The table whose settings a problem leads to. */
  readonly settingsOf: number | undefined;
  readonly onSettings: (tableId: number | undefined) => void;
}

/** The tables and their columns, with the rule of each. */
export function RulesCard(props: RulesCardProps) {
  const { form, onChange, problems, checks } = props;
  const { tables } = form;
  const [filter, setFilter] = useState(NO_FILTER);
  const [isNarrow] = useState(() => window.matchMedia('(max-width: 40rem)').matches);
  const [opened, setOpened] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [dialog, setDialog] = useState<OpenDialog>();
  const selection = useSelection(tables);
  const coverage = useMemo(() => coverageOf(tables.flatMap(({ columns }) => columns)), [tables]);
  const total = coverage.masked + coverage.kept + coverage.open;
  const startOpen = !isNarrow || total <= MAX_OPEN_COLUMNS;
  const setOpen = (id: number, isOpen: boolean) => setOpened(new Map([...opened, [id, isOpen]]));
  const rows = useMemo(
    () =>
      visibleRows(
        tables,
        ({ id }) => opened.get(id) ?? startOpen,
        filter,
        ({ id }, { name }) => problems.ofColumn(id, name) !== undefined,
      ),
    [tables, opened, startOpen, filter, problems],
  );
  const settings = tables.find(({ id }) => id === props.settingsOf);
  const named = dialog?.kind === 'columns' ? tables.find(({ id }) => id === dialog.tableId) : undefined;
  const selected: Parameters<typeof setRules>[1] = selection.has;

  const removed = (table: TableForm): void => {
    const before = tables.indexOf(table);
    onChange((current) => removeTable(current, table.id));
    toast.undo(texts.removed(table.name), () =>
      onChange((current) => ({ ...current, tables: current.tables.toSpliced(before, 0, table) })),
    );
  };
  const line = (row: RuleRow) => {
    const { table } = row;
    if (row.kind === 'column')
      return (
        <ColumnRow
          column={row.column}
          isSelected={selection.has(table, row.column)}
          problem={row.column.rule === undefined ? undefined : problems.ofColumn(table.id, row.column.name)}
          onSelect={(isSelected) => selection.set(table, [row.column], isSelected)}
          onEdit={() => props.onEdit(table.id, row.column.name)}
        />
      );
    return (
      <TableRow
        table={table}
        isOpen={row.isOpen}
        shown={row.shown}
        selected={selection.ofTable(table)}
        problems={problems.ofTable(table.id)}
        onToggle={() => setOpen(table.id, !row.isOpen)}
        onSelect={(isSelected) => selection.set(table, table.columns, isSelected)}
        onSettings={() => props.onSettings(table.id)}
        onAddColumns={() => setDialog({ kind: 'columns', tableId: table.id })}
        onRemove={() => removed(table)}
      />
    );
  };
  return (
    <Card
      title={texts.title}
      text={texts.text}
      flush
      actions={
        <Button icon={<Plus aria-hidden />} onClick={() => setDialog({ kind: 'tables' })}>
          {texts.addTables}
        </Button>
      }
    >
      {tables.length === 0 ? (
        <EmptyState icon={<Table2 />} title={texts.empty.title} text={texts.empty.text} />
      ) : (
        <>
          <div className="flex flex-col gap-3 px-4 pb-3">
            {total > 0 && (
              <Progress
                label={texts.coverage}
                value={total - coverage.open}
                max={total}
                text={texts.coverageText(coverage)}
                tone={coverage.open > 0 ? 'warning' : 'accent'}
              />
            )}
            {checks === 'failed' && <Notice tone="warning" text={texts.checkFailed} />}
            <FilterBar
              label={texts.filters}
              folds
              active={filter !== NO_FILTER}
              onClear={() => setFilter(NO_FILTER)}
              end={checks === 'checking' ? texts.checking : undefined}
            >
              <SearchField
                label={texts.search}
                placeholder={texts.searchPlaceholder}
                value={filter.search}
                onChange={(search) => setFilter({ ...filter, search })}
              />
              <Select
                label={texts.status}
                labelHidden
                options={[
                  { value: ANY, label: texts.anyStatus },
                  ...STATUSES.map((value) => ({
                    value,
                    label: value === 'problem' ? texts.withProblem : texts.statuses[value],
                  })),
                ]}
                value={filter.status ?? ANY}
                onChange={(status) =>
                  setFilter({ ...filter, status: STATUSES.find((known) => known === status) ?? null })
                }
              />
            </FilterBar>
            <BulkBar
              count={selection.count}
              onKeep={() => {
                onChange((current) => setRules(current, selected, { preserve: true }));
                toast.success(TEXTS.bulk.applied(selection.count));
                selection.clear();
              }}
              onMask={() => props.onEditSelected(selected, selection.count)}
              onSelectAll={() => selection.add(rows.filter((row) => row.kind === 'column'))}
              onClear={selection.clear}
            />
          </div>
          <div className="border-t border-line">
            {rows.length === 0 ? (
              <EmptyState title={texts.noMatch.title} text={texts.noMatch.text} />
            ) : (
              <ScrollList label={texts.list} rows={rows} rowKey={keyOf}>
                {line}
              </ScrollList>
            )}
          </div>
        </>
      )}
      {dialog?.kind === 'tables' && (
        <NamesDialog
          {...TEXTS.addTables}
          onClose={() => setDialog(undefined)}
          onConfirm={(names) => {
            onChange((current) => addTables(current, names));
            setDialog(undefined);
          }}
        />
      )}
      {named && (
        <NamesDialog
          {...TEXTS.addColumns}
          title={TEXTS.addColumns.title(named.name)}
          onClose={() => setDialog(undefined)}
          onConfirm={(names) => {
            onChange((current) => addColumns(current, named.id, names));
            setOpen(named.id, true);
            setDialog(undefined);
          }}
        />
      )}
      {settings && (
        <TableDialog
          table={settings}
          errors={problems.partsOf(settings.id)}
          onChange={(change) => onChange((current) => changeTable(current, settings.id, change))}
          onClose={() => props.onSettings(undefined)}
        />
      )}
    </Card>
  );
}

function keyOf(row: RuleRow): string {
  return row.kind === 'table'
    ? `${row.table.id}`
    : columnKey({ tableId: row.table.id, column: row.column.name });
}
