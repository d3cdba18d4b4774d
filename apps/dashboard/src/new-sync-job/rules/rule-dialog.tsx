import { isObject } from '@understudy/sync-job';
import { Button, Dialog, Notice } from '@understudy/ui';
import { useMemo, useState, type ReactNode } from 'react';

import type { Catalog } from '../../engine/worker/messages.js';
import type { ColumnForm } from '../form/job-form.js';
import { kindOf, type Rule } from '../form/rule-kinds.js';
import { useCustomModels } from '../queries.js';
import { TEXTS } from '../texts.js';
import { RuleFields } from './rule-fields.js';
import { RuleJson } from './rule-json.js';

const { rule: texts } = TEXTS;

/** A problem of the edited rule. The path is relative to the rule, and empty for the rule itself. */
export interface RuleProblem {
  readonly path: string;
  readonly message: string;
}

export interface RuleDialogProps {
  readonly title: string;
  readonly column: ColumnForm;
  readonly onChange: (rule: unknown) => void;
  readonly problems: readonly RuleProblem[];
  readonly catalog: Catalog | undefined;
  /** Sample values of the rule. */
  readonly samples: ReactNode;
  /** The number of columns with this name in all tables, and the action that gives all of them the rule. */
  readonly sameName?: { readonly count: number; readonly onApply: () => void } | undefined;
  readonly onRemove?: (() => void) | undefined;
  readonly doneLabel: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Edits the rule of a column. Each change takes effect in the form. */
export function RuleDialog(props: RuleDialogProps) {
  const { title, column, onChange, problems, catalog, sameName, onRemove } = props;
  const customModels = useCustomModels();
  const rule = isObject(column.rule) ? column.rule : undefined;
  const [first] = useState(column.rule);
  const [isJson, setJson] = useState(rule !== undefined && kindOf(rule) === undefined);
  const shown = useMemo(
    () => problems.filter(({ path }) => rule !== undefined || path !== ''),
    [problems, rule],
  );
  const errorAt = (path: string): string | undefined => shown.find((each) => each.path === path)?.message;
  return (
    <Dialog
      open
      onOpenChange={props.onClose}
      title={title}
      size="large"
      dismissible={false}
      actions={
        <>
          {onRemove && (
            <Button kind="quiet" onClick={onRemove}>
              {texts.remove}
            </Button>
          )}
          <Button disabled={column.rule === first} onClick={() => onChange(first)}>
            {texts.reset}
          </Button>
          <Button kind="primary" onClick={props.onDone}>
            {props.doneLabel}
          </Button>
        </>
      }
    >
      {column.note !== undefined && <Notice announce={false} title={texts.note} text={column.note} />}
      {isJson ? (
        <>
          <RuleJson rule={rule} onChange={onChange} problems={shown} />
          {props.samples}
        </>
      ) : (
        <RuleFields
          rule={rule}
          onChange={onChange as (rule: Rule) => void}
          catalog={catalog}
          customModels={customModels}
          errorAt={errorAt}
          samples={props.samples}
        />
      )}
      <Button kind="quiet" className="self-start" onClick={() => setJson(!isJson)}>
        {isJson ? texts.asFields : texts.asJson}
      </Button>
      {shown.length > 0 && (
        <Notice tone="danger" title={texts.problems}>
          <ul className="list-disc pl-5">
            {shown.slice(0, 20).map(({ path, message }, index) => (
              <li key={index} className="wrap-anywhere">
                {path !== '' && <code className="font-mono text-sm">{path}</code>} {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {sameName && sameName.count > 1 && rule !== undefined && (
        <Button className="self-start" onClick={sameName.onApply}>
          <span className="truncate">{texts.everywhere(sameName.count, column.name)}</span>
        </Button>
      )}
    </Dialog>
  );
}
