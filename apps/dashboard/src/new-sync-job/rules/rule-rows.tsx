import { Badge, Checkbox, IconButton, Menu, TextLink } from '@understudy/ui';
import { ChevronDown, ChevronRight, ListPlus, Settings2, Trash2 } from 'lucide-react';

import { type ColumnStatus, coverageOf, statusOf, type TableForm } from '../form/job-form.js';
import type { ProblemIndex } from '../form/problem-index.js';
import { summaryOf } from '../form/rule-kinds.js';
import type { RuleRow } from '../form/visible-rows.js';
import { TEXTS } from '../texts.js';
import type { OpenDialog } from './rules-dialogs.js';
import type { Selection } from './use-selection.js';

const { rules: texts } = TEXTS;

/** The state of the lines, and what they can do. */
export interface RuleRowProps<Kind extends RuleRow['kind']> {
  readonly row: Extract<RuleRow, { kind: Kind }>;
  readonly problems: ProblemIndex;
  readonly selection: Selection;
  readonly onUnfold: (tableId: number, isUnfolded: boolean) => void;
  readonly onRemove: (table: TableForm) => void;
  readonly onOpen: (dialog: OpenDialog) => void;
}

/** The line of a table, above the lines of its columns. */
export function TableRow({ row, selection, onUnfold, onRemove, onOpen, ...props }: RuleRowProps<'table'>) {
  const { table, isOpen, shown } = row;
  const { id: tableId, name, columns, where, limit, needsWhere = false, isEmpty = false } = table;
  const selected = selection.ofTable(table);
  const problems = props.problems.ofTable(tableId);
  return (
    <div className="flex min-h-11 min-w-0 items-center gap-2 py-1.5 pr-2 pl-3">
      <IconButton
        size="small"
        label={texts.expand(name)}
        aria-expanded={isOpen}
        icon={isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
        onClick={() => onUnfold(tableId, !isOpen)}
      />
      {columns.length > 0 && (
        <Checkbox
          label={texts.selectTable(name)}
          labelHidden
          checked={selected === 'all'}
          indeterminate={selected === 'some'}
          onChange={(isSelected) => selection.set(table, columns, isSelected)}
        />
      )}
      <div className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-0.5">
        <span dir="auto" className="min-w-0 font-medium wrap-anywhere">
          {name}
        </span>
        <span className="text-sm text-muted tabular-nums">
          {columns.length === shown || !isOpen
            ? `${texts.columns(columns.length)}: ${texts.coverageText(coverageOf(columns))}`
            : texts.matches(shown)}
        </span>
        {(where !== '' || limit !== null || needsWhere) && <Badge tone="info">{texts.subset}</Badge>}
        {isEmpty && <Badge tone="info">{texts.withoutRows}</Badge>}
        {problems > 0 && <Badge tone="danger">{texts.problems(problems)}</Badge>}
      </div>
      <Menu
        label={texts.menu(name)}
        size="small"
        items={[
          {
            label: texts.addColumns,
            icon: <ListPlus aria-hidden />,
            onSelect: () => onOpen({ kind: 'columns', tableId }),
          },
          {
            label: texts.settings,
            icon: <Settings2 aria-hidden />,
            onSelect: () => onOpen({ kind: 'settings', tableId }),
          },
          'separator',
          {
            label: texts.removeTable,
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => onRemove(table),
          },
        ]}
      />
    </div>
  );
}

/** The line of a column: its name, its rule and its status. */
export function ColumnRow({ row: { table, column }, problems, selection, onOpen }: RuleRowProps<'column'>) {
  const problem = column.rule === undefined ? undefined : problems.ofColumn(table.id, column.name);
  const status = statusOf(column);
  // A narrow line has no room for the badge. The rule itself then shows that the column is decided.
  const isSettled = status !== 'open' && problem === undefined;
  return (
    <div className="flex min-h-9 min-w-0 items-center gap-3 py-1 pr-3 pl-8 sm:min-h-11 sm:gap-3.5 sm:py-1.5 sm:pl-12">
      <Checkbox
        label={texts.select(column.name)}
        labelHidden
        checked={selection.has(table, column)}
        onChange={(isSelected) => selection.set(table, [column], isSelected)}
      />
      <div className="grid min-w-0 grow grid-cols-2 items-center gap-x-3 gap-y-0.5 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] sm:gap-x-4">
        <TextLink
          quiet
          dir="auto"
          className="min-h-6 w-fit min-w-6 text-left wrap-anywhere"
          render={
            <button
              type="button"
              onClick={() => onOpen({ kind: 'column', tableId: table.id, column: column.name })}
            />
          }
        >
          {column.name}
        </TextLink>
        <span dir="auto" className="truncate text-sm text-muted">
          {status === 'open' && column.note !== undefined ? column.note : summaryOf(column.rule)}
        </span>
        {problem !== undefined && (
          <span className="col-span-2 text-sm text-danger wrap-anywhere">{problem}</span>
        )}
      </div>
      <span className={`shrink-0 justify-end sm:flex sm:w-24 ${isSettled ? 'hidden' : 'flex'}`}>
        <Badge tone={problem === undefined ? TONES[status] : 'danger'}>
          {problem === undefined ? texts.statuses[status] : texts.problem}
        </Badge>
      </span>
    </div>
  );
}

const TONES = { masked: 'success', kept: 'neutral', open: 'warning' } as const satisfies Record<
  ColumnStatus,
  string
>;
