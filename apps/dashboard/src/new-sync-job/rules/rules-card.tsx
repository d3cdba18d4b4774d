import { Button, Card, EmptyState, toast } from '@understudy/ui';
import { Plus, Table2 } from 'lucide-react';
import { useMemo, useState } from 'react';

import type { PlaygroundEngine } from '../../engine/playground-engine.js';
import { type ChangeForm, removeTable, setRules } from '../form/change-form.js';
import type { TableForm } from '../form/job-form.js';
import type { ProblemIndex } from '../form/problem-index.js';
import { type RowFilter, visibleRows } from '../form/visible-rows.js';
import { TEXTS } from '../texts.js';
import { type OpenDialog, RulesDialogs } from './rules-dialogs.js';
import { RulesList } from './rules-list.js';
import { RulesToolbar } from './rules-toolbar.js';
import type { CheckedRules } from './use-rule-problems.js';
import { useSelection } from './use-selection.js';

const { rules: texts } = TEXTS;
/** On a narrow screen, tables with more columns in all than this are folded at first. */
const MAX_OPEN_COLUMNS = 12;
const NO_FILTER: RowFilter = { search: '', status: null };

export interface RulesCardProps {
  readonly tables: readonly TableForm[];
  /** True if the job replaces a whole database. */
  readonly isOfDatabase: boolean;
  readonly onChange: (change: ChangeForm) => void;
  readonly problems: ProblemIndex;
  readonly checks: CheckedRules['state'];
  readonly engine: PlaygroundEngine;
  /** The dialog that is open. A problem of the form can open one, too. */
  readonly open: OpenDialog | undefined;
  readonly onOpen: (dialog: OpenDialog | undefined) => void;
}

/** The tables and their columns, with the rule of each. */
export function RulesCard(props: RulesCardProps) {
  const { tables, onChange, problems, checks, onOpen } = props;
  const [filter, setFilter] = useState(NO_FILTER);
  const { rows, setUnfolded } = useRuleRows(tables, problems, filter);
  const selection = useSelection(tables);
  const remove = (table: TableForm): void => {
    const before = tables.indexOf(table);
    onChange((current) => removeTable(current, table.id));
    toast.undo(texts.removed(table.name), () =>
      onChange((current) => ({ ...current, tables: current.tables.toSpliced(before, 0, table) })),
    );
  };
  const keepSelected = (): void => {
    onChange((current) => setRules(current, selection.has, { preserve: true }));
    toast.success(TEXTS.bulk.applied(selection.count));
    selection.clear();
  };
  return (
    <Card
      title={texts.title}
      text={texts.text}
      flush
      actions={
        <Button icon={<Plus aria-hidden />} onClick={() => onOpen({ kind: 'tables' })}>
          {texts.addTables}
        </Button>
      }
    >
      {tables.length === 0 ? (
        <EmptyState icon={<Table2 />} {...texts.empty} />
      ) : (
        <>
          <RulesToolbar
            tables={tables}
            checks={checks}
            filter={filter}
            isFiltered={filter !== NO_FILTER}
            onFilter={(change) => setFilter(change ? { ...filter, ...change } : NO_FILTER)}
            rows={rows}
            selection={selection}
            onKeep={keepSelected}
            onOpen={onOpen}
          />
          <RulesList
            rows={rows}
            problems={problems}
            selection={selection}
            onUnfold={setUnfolded}
            onRemove={remove}
            onOpen={onOpen}
          />
        </>
      )}
      <RulesDialogs {...props} onAddedColumns={(id) => setUnfolded(id, true)} />
    </Card>
  );
}

/** Returns the lines that match the filter, and the function that folds or unfolds a table. */
function useRuleRows(tables: readonly TableForm[], problems: ProblemIndex, filter: RowFilter) {
  const [isNarrow] = useState(() => window.matchMedia('(max-width: 40rem)').matches);
  const [unfolded, setUnfolded] = useState<ReadonlyMap<number, boolean>>(new Map());
  const total = tables.reduce((sum, { columns }) => sum + columns.length, 0);
  const startsUnfolded = !isNarrow || total <= MAX_OPEN_COLUMNS;
  const rows = useMemo(
    () =>
      visibleRows(
        tables,
        ({ id }) => unfolded.get(id) ?? startsUnfolded,
        filter,
        ({ id }, { name }) => problems.ofColumn(id, name) !== undefined,
      ),
    [tables, unfolded, startsUnfolded, filter, problems],
  );
  return {
    rows,
    setUnfolded: (id: number, isUnfolded: boolean) => setUnfolded(new Map([...unfolded, [id, isUnfolded]])),
  };
}
