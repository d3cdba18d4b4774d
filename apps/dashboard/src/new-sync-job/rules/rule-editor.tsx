import { toast } from '@understudy/ui';
import { useMemo, useState } from 'react';

import type { PlaygroundEngine } from '../../engine/playground-engine.js';
import type { Catalog } from '../../engine/worker/messages.js';
import { type ChangeForm, type ColumnAddress, removeColumn, setRules } from '../form/change-form.js';
import type { ColumnForm, TableForm } from '../form/job-form.js';
import type { ProblemIndex } from '../form/problem-index.js';
import { TEXTS } from '../texts.js';
import { RuleDialog } from './rule-dialog.js';
import { RuleSamples } from './rule-samples.js';

type Choice = Parameters<typeof setRules>[1];

/** The columns whose rule is edited: one, or all selected ones. */
export type EditedRule =
  | ({ readonly kind: 'column' } & ColumnAddress)
  | { readonly kind: 'selection'; readonly isChosen: Choice; readonly count: number };

export interface RuleEditorProps {
  readonly tables: readonly TableForm[];
  readonly problems: ProblemIndex;
  readonly catalog: Catalog | undefined;
  readonly engine: PlaygroundEngine;
  readonly onChange: (change: ChangeForm) => void;
  readonly onClose: () => void;
}

/** Edits the rule of one column in the form. */
export function ColumnEditor({
  address,
  tables,
  problems,
  catalog,
  engine,
  onChange,
  onClose,
}: RuleEditorProps & { readonly address: ColumnAddress }) {
  const table = tables.find(({ id }) => id === address.tableId);
  const column = table?.columns.find(({ name }) => name === address.column);
  const found = problems.listOfColumn(address.tableId, address.column);
  const relative = useMemo(
    () => found.map(({ field, message }) => ({ path: pathInRule(field, address.column), message })),
    [found, address.column],
  );
  if (table === undefined || column === undefined) return null;
  const setRule = (isChosen: Choice, rule: unknown) => onChange((form) => setRules(form, isChosen, rule));
  const sameName = tables.filter(({ columns }) => columns.some(({ name }) => name === column.name)).length;
  return (
    <RuleDialog
      title={TEXTS.rule.title(`${table.name}.${column.name}`)}
      column={column}
      onChange={(rule) => setRule((each, { name }) => each.id === table.id && name === column.name, rule)}
      problems={relative}
      catalog={catalog}
      samples={<RuleSamples engine={engine} column={column} columns={table.columns} />}
      sameName={{
        count: sameName,
        onApply: () => {
          setRule((_, { name }) => name === column.name, column.rule);
          toast.success(TEXTS.rule.everywhereDone(sameName));
        },
      }}
      onRemove={() => {
        onChange((form) => removeColumn(form, address));
        onClose();
      }}
      doneLabel={TEXTS.rule.done}
      onDone={onClose}
      onClose={onClose}
    />
  );
}

/** Prepares a rule for several columns. */
export function SelectionEditor({
  selection,
  catalog,
  engine,
  onChange,
  onClose,
}: RuleEditorProps & { readonly selection: Extract<EditedRule, { kind: 'selection' }> }) {
  const [draft, setDraft] = useState<ColumnForm>({ name: '', rule: undefined });
  return (
    <RuleDialog
      title={TEXTS.rule.bulkTitle(selection.count)}
      column={draft}
      onChange={(rule) => setDraft({ name: '', rule })}
      problems={NO_PROBLEMS}
      catalog={catalog}
      samples={<RuleSamples engine={engine} column={draft} columns={NO_COLUMNS} />}
      doneLabel={TEXTS.rule.apply}
      onDone={() => {
        if (draft.rule !== undefined) {
          onChange((form) => setRules(form, selection.isChosen, draft.rule));
          toast.success(TEXTS.bulk.applied(selection.count));
        }
        onClose();
      }}
      onClose={onClose}
    />
  );
}

const NO_COLUMNS: readonly never[] = [];
const NO_PROBLEMS: readonly never[] = [];

/** Returns the part of a path after the column: `pattern` for `tables[0].columns.email.pattern`. */
function pathInRule(field: string, column: string): string {
  const from = field.indexOf('.columns') + '.columns'.length;
  const rest = field.slice(from);
  const plain = `.${column}`;
  const after = rest.startsWith(plain) ? rest.slice(plain.length) : rest.slice(rest.indexOf(']') + 1);
  return after.replace(/^\./, '');
}
