import { Badge, Checkbox, IconButton, Menu, TextLink } from '@understudy/ui';
import { ChevronDown, ChevronRight, ListPlus, Settings2, Trash2 } from 'lucide-react';

import {
  type ColumnForm,
  type ColumnStatus,
  coverageOf,
  statusOf,
  type TableForm,
} from '../form/job-form.js';
import { summaryOf } from '../form/rule-kinds.js';
import { TEXTS } from '../texts.js';

const { rules: texts } = TEXTS;

export interface TableRowProps {
  readonly table: TableForm;
  readonly isOpen: boolean;
  /** The number of columns that are shown. */
  readonly shown: number;
  readonly selected: 'all' | 'some' | 'none';
  readonly problems: number;
  readonly onToggle: () => void;
  readonly onSelect: (isSelected: boolean) => void;
  readonly onSettings: () => void;
  readonly onAddColumns: () => void;
  readonly onRemove: () => void;
}

/** The line of a table, above the lines of its columns. */
export function TableRow(props: TableRowProps) {
  const { table, isOpen, shown, selected, problems } = props;
  const { name, columns, where, limit, needsWhere = false } = table;
  return (
    <div className="flex min-h-11 min-w-0 items-center gap-2 py-1.5 pr-2 pl-3">
      <IconButton
        size="small"
        label={texts.expand(name)}
        aria-expanded={isOpen}
        icon={isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
        onClick={props.onToggle}
      />
      {columns.length > 0 && (
        <Checkbox
          label={texts.selectTable(name)}
          labelHidden
          checked={selected === 'all'}
          indeterminate={selected === 'some'}
          onChange={props.onSelect}
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
        {problems > 0 && <Badge tone="danger">{texts.problems(problems)}</Badge>}
      </div>
      <Menu
        label={texts.menu(name)}
        size="small"
        items={[
          { label: texts.addColumns, icon: <ListPlus aria-hidden />, onSelect: props.onAddColumns },
          { label: texts.settings, icon: <Settings2 aria-hidden />, onSelect: props.onSettings },
          'separator',
          { label: texts.removeTable, icon: <Trash2 aria-hidden />, danger: true, onSelect: props.onRemove },
        ]}
      />
    </div>
  );
}

/** The line of a column: its name, its rule and its status. */
export function ColumnRow({
  column,
  isSelected,
  problem,
  onSelect,
  onEdit,
}: {
  readonly column: ColumnForm;
  readonly isSelected: boolean;
  readonly problem: string | undefined;
  readonly onSelect: (isSelected: boolean) => void;
  readonly onEdit: () => void;
}) {
  const status = statusOf(column);
  // A narrow line has no room for the badge. The rule itself then shows that the column is decided.
  const isSettled = status !== 'open' && problem === undefined;
  return (
    <div className="flex min-h-9 min-w-0 items-center gap-3 py-1 pr-3 pl-8 sm:min-h-11 sm:gap-3.5 sm:py-1.5 sm:pl-12">
      <Checkbox label={texts.select(column.name)} labelHidden checked={isSelected} onChange={onSelect} />
      <div className="grid min-w-0 grow grid-cols-2 items-center gap-x-3 gap-y-0.5 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] sm:gap-x-4">
        <TextLink
          quiet
          dir="auto"
          className="min-h-6 w-fit min-w-6 text-left wrap-anywhere"
          render={<button type="button" onClick={onEdit} />}
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
