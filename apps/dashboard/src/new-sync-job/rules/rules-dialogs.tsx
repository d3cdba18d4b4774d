import type { PlaygroundEngine } from '../../engine/playground-engine.js';
import { useCatalog } from '../../engine/use-engine.js';
import { addColumns, addTables, type ChangeForm, changeTable } from '../form/change-form.js';
import type { TableForm } from '../form/job-form.js';
import type { ProblemIndex } from '../form/problem-index.js';
import { TEXTS } from '../texts.js';
import { ColumnEditor, type EditedRule, SelectionEditor } from './rule-editor.js';
import { NamesDialog, TableDialog } from './table-dialogs.js';

/** The open dialog: the names of new tables or columns, the settings of a table, or a rule. */
export type OpenDialog =
  | { readonly kind: 'tables' }
  | { readonly kind: 'columns' | 'settings'; readonly tableId: number }
  | EditedRule;

export interface RulesDialogsProps {
  readonly tables: readonly TableForm[];
  /** True if the job replaces a whole database. */
  readonly isOfDatabase: boolean;
  readonly onChange: (change: ChangeForm) => void;
  readonly problems: ProblemIndex;
  readonly engine: PlaygroundEngine;
  readonly open: OpenDialog | undefined;
  readonly onOpen: (dialog: undefined) => void;
  readonly onAddedColumns: (tableId: number) => void;
}

/** The dialog that is open, or nothing. */
export function RulesDialogs(props: RulesDialogsProps) {
  const { tables, onChange, problems, engine, open } = props;
  const catalog = useCatalog(engine);
  const close = () => props.onOpen(undefined);
  if (open === undefined) return null;
  if (open.kind === 'tables')
    return (
      <NamesDialog
        {...TEXTS.addTables}
        onClose={close}
        onConfirm={(names) => {
          onChange((form) => addTables(form, names));
          close();
        }}
      />
    );
  const editor = { tables, problems, catalog, engine, onChange, onClose: close };
  if (open.kind === 'column') return <ColumnEditor {...editor} address={open} />;
  if (open.kind === 'selection') return <SelectionEditor {...editor} selection={open} />;
  const table = tables.find(({ id }) => id === open.tableId);
  if (table === undefined) return null;
  if (open.kind === 'settings')
    return (
      <TableDialog
        table={table}
        isOfDatabase={props.isOfDatabase}
        errors={problems.partsOf(table.id)}
        onChange={(change) => onChange((form) => changeTable(form, table.id, change))}
        onClose={close}
      />
    );
  return (
    <NamesDialog
      {...TEXTS.addColumns}
      title={TEXTS.addColumns.title(table.name)}
      onClose={close}
      onConfirm={(names) => {
        onChange((form) => addColumns(form, table.id, names));
        props.onAddedColumns(table.id);
        close();
      }}
    />
  );
}
