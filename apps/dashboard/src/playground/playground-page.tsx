import { Button, Card, PageHeader, Select, Skeleton } from '@understudy/ui';
import { lazy, Suspense, useMemo, useState } from 'react';

import type { SchemaEditorHandle, SchemaProblem } from './editor/create-editor.js';
import { type Generated, useCatalog, useEngine, useGenerated } from './engine/use-engine.js';
import { ResultsPanel } from './results/results-panel.js';
import { SettingsBar } from './settings/settings-bar.js';
import { changeLocale, localeOf, localesOf } from './state/change-locale.js';
import { EXAMPLES, schemaText } from './state/examples.js';
import { readDraft } from './state/read-draft.js';
import { useDraft } from './state/use-draft.js';
import { TEXTS } from './texts.js';

const SchemaEditor = lazy(async () => ({
  default: (await import('./editor/schema-editor.js')).SchemaEditor,
}));

/** The generator playground: the engine of the API in the browser. */
export function PlaygroundPage() {
  const { draft, change } = useDraft();
  const engine = useEngine();
  const catalog = useCatalog(engine);
  const [editor, setEditor] = useState<SchemaEditorHandle | null>(null);
  const [attempt, setAttempt] = useState(0);
  const read = useMemo(() => ({ ...readDraft(draft, new Date()), attempt }), [draft, attempt]);
  const request = 'request' in read ? read.request : undefined;
  const generated = useGenerated(engine, request);
  const problems = useMemo(() => problemsOf(generated), [generated]);
  const models = catalog?.models ?? [];
  return (
    <div className="flex flex-col gap-5">
      <PageHeader title={TEXTS.title} meta={TEXTS.meta} />
      <SettingsBar
        draft={draft}
        errors={read.errors ?? {}}
        onChange={change}
        locale={localeOf(draft.schema, models)}
        locales={localesOf(models)}
        onLocale={(locale) => change({ schema: changeLocale(draft.schema, locale, models) })}
      />
      <div className="grid min-w-0 items-start gap-5 xl:grid-cols-2">
        <Card
          title={TEXTS.schema}
          flush
          actions={
            <>
              <div className="w-48">
                <Select
                  label={TEXTS.example}
                  labelHidden
                  placeholder={TEXTS.chooseExample}
                  value={null}
                  options={EXAMPLES.map(({ id, title }) => ({ value: id, label: title }))}
                  onChange={(id) => change({ schema: exampleText(id) })}
                />
              </div>
              <Button onClick={() => change({ schema: tidy(draft.schema) })}>{TEXTS.format}</Button>
            </>
          }
        >
          <div className="h-[26rem] border-t border-line xl:h-[38rem]">
            <Suspense fallback={<Skeleton lines={8} label={TEXTS.loadingEditor} />}>
              <SchemaEditor
                onReady={setEditor}
                text={draft.schema}
                onChange={(schema) => change({ schema })}
                problems={problems}
                catalog={catalog}
                label={TEXTS.editorLabel}
                description={TEXTS.editorHint}
              />
            </Suspense>
          </div>
          <p className="border-t border-line px-4 py-2 text-sm text-muted">{TEXTS.editorHint}</p>
        </Card>
        <ResultsPanel
          generated={generated}
          pending={generated?.request !== request}
          format={draft.format}
          onFormat={(format) => change({ format })}
          problems={problems}
          editor={editor}
          onRetry={() => setAttempt(attempt + 1)}
        />
      </div>
    </div>
  );
}

function problemsOf(generated: Generated | undefined): readonly SchemaProblem[] {
  const response = generated?.response;
  if (response?.kind === 'records')
    return response.warnings.map((warning) => ({ ...warning, severity: 'warning' }));
  return response?.kind === 'refused'
    ? response.problems.map((problem) => ({ ...problem, severity: 'error' }))
    : [];
}

function exampleText(id: string): string {
  const example = EXAMPLES.find((each) => each.id === id) ?? EXAMPLES[0];
  return schemaText(example.schema);
}

/** Writes the schema in our layout. Text that is not JSON stays as it is. */
function tidy(text: string): string {
  try {
    return schemaText(JSON.parse(text));
  } catch {
    return text; // the list of problems names the fault
  }
}
