import { readKeptJson, writeExactJson } from '@understudy/expression';
import { isObject } from '@understudy/sync-job';
import { Notice, lazyPart } from '@understudy/ui';
import { useMemo, useState } from 'react';

import type { Rule } from '../form/rule-kinds.js';
import { TEXTS } from '../texts.js';

const { rule: texts } = TEXTS;
const SchemaEditor = lazyPart(
  async () => (await import('../../playground/editor/schema-editor.js')).SchemaEditor,
  { lines: 6, label: texts.loadingEditor },
);
const ignoreEditor = (): void => undefined;

/** A rule as JSON. Text that is no JSON object stays in the editor and changes nothing. */
export function RuleJson({
  rule,
  onChange,
  problems,
}: {
  readonly rule: Rule | undefined;
  readonly onChange: (rule: Rule) => void;
  /** Paths are relative to the rule. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}) {
  const [text, setText] = useState(() => (rule === undefined ? '' : writeExactJson(rule, '  ')));
  const isWrong = text.trim() !== '' && parse(text) === undefined;
  const marks = useMemo(() => problems.map((each) => ({ ...each, severity: 'error' as const })), [problems]);
  return (
    <div className="flex flex-col gap-2">
      <div className="h-64 overflow-hidden rounded-md border border-line">
        <SchemaEditor
          text={text}
          onChange={(next) => {
            setText(next);
            const parsed = parse(next);
            if (parsed !== undefined) onChange(parsed);
          }}
          problems={marks}
          catalog={undefined}
          label={texts.editor}
          description={texts.editorHint}
          onReady={ignoreEditor}
        />
      </div>
      <p className="text-sm text-muted">{texts.editorHint}</p>
      {isWrong && <Notice tone="danger" text={texts.notJson} />}
    </div>
  );
}

function parse(text: string): Rule | undefined {
  const value = readKeptJson(text);
  return isObject(value) ? value : undefined;
}
