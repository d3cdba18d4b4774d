import { Button, FilterBar, Notice, Progress, SearchField } from '@understudy/ui';
import { useMemo } from 'react';

import { FilterSelect } from '../../work/filter-select.js';
import { coverageOf, type TableForm } from '../form/job-form.js';
import type { RowFilter, RuleRow } from '../form/visible-rows.js';
import { TEXTS } from '../texts.js';
import type { OpenDialog } from './rules-dialogs.js';
import type { CheckedRules } from './use-rule-problems.js';
import type { Selection } from './use-selection.js';

const { rules: texts, bulk } = TEXTS;
const STATUSES = ['open', 'masked', 'kept', 'problem'] as const;

export interface RulesToolbarProps {
  readonly tables: readonly TableForm[];
  readonly checks: CheckedRules['state'];
  readonly filter: RowFilter;
  readonly isFiltered: boolean;
  /** Called without a change to clear the filter. */
  readonly onFilter: (change?: Partial<RowFilter>) => void;
  /** The lines that match the filter. */
  readonly rows: readonly RuleRow[];
  readonly selection: Selection;
  /** Keeps the selected columns unchanged. */
  readonly onKeep: () => void;
  readonly onOpen: (dialog: OpenDialog) => void;
}

/** The number of decided columns, the filters, and the actions for the selected columns. */
export function RulesToolbar(props: RulesToolbarProps) {
  const { tables, checks, filter, isFiltered, onFilter } = props;
  const coverage = useMemo(() => coverageOf(tables.flatMap(({ columns }) => columns)), [tables]);
  const total = coverage.masked + coverage.kept + coverage.open;
  return (
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
        active={isFiltered}
        onClear={() => onFilter()}
        end={checks === 'checking' ? texts.checking : undefined}
      >
        <SearchField
          label={texts.search}
          placeholder={texts.searchPlaceholder}
          value={filter.search}
          onChange={(search) => onFilter({ search })}
        />
        <FilterSelect
          label={texts.status}
          any={texts.anyStatus}
          options={STATUSES.map((value) => ({
            value,
            label: value === 'problem' ? texts.withProblem : texts.statuses[value],
          }))}
          value={filter.status ?? undefined}
          onChange={(status) => onFilter({ status: status ?? null })}
        />
      </FilterBar>
      <BulkBar {...props} />
    </div>
  );
}

/** The actions for all selected columns. */
function BulkBar({ rows, selection, onKeep, onOpen }: RulesToolbarProps) {
  const { count, has, add, clear } = selection;
  return (
    <div role="group" aria-label={bulk.label} className="flex flex-wrap items-center gap-2">
      <Button size="small" kind="quiet" onClick={() => add(rows.filter((row) => row.kind === 'column'))}>
        {bulk.selectAll}
      </Button>
      {count > 0 && (
        <>
          <span role="status" className="text-sm text-muted tabular-nums">
            {bulk.selected(count)}
          </span>
          <Button size="small" onClick={onKeep}>
            {bulk.keep}
          </Button>
          <Button size="small" onClick={() => onOpen({ kind: 'selection', isChosen: has, count })}>
            {bulk.mask}
          </Button>
          <Button size="small" kind="quiet" onClick={clear}>
            {bulk.clear}
          </Button>
        </>
      )}
    </div>
  );
}
