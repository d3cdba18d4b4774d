import { PageHeader } from '@understudy/ui';
import { useMemo, useState } from 'react';

import { PageActions } from './actions/page-actions.js';
import { SchemaCard } from './editor/schema-card.js';
import type { SchemaEditorHandle, SchemaProblem } from './editor/create-editor.js';
import { type Newest, useCatalog, useEngine, useNewest } from '../engine/use-engine.js';
import { ResultsPanel } from './results/results-panel.js';
import { SettingsBar } from './settings/settings-bar.js';
import { changeLocale, localeOf, localesOf } from './state/change-locale.js';
import { readDraft } from './state/read-draft.js';
import { useDraft } from './state/use-draft.js';
import { TEXTS } from './texts.js';

/** The generator playground: the engine of the API in the browser. */
export function PlaygroundPage() {
  const { draft, change } = useDraft();
  const engine = useEngine();
  const catalog = useCatalog(engine);
  const [editor, setEditor] = useState<SchemaEditorHandle | null>(null);
  const [attempt, setAttempt] = useState(0);
  // oxlint-disable-next-line react/purity -- a draft without a time is read at the time of its last change
  const read = useMemo(() => ({ ...readDraft(draft, new Date()), attempt }), [draft, attempt]);
  const request = 'request' in read ? read.request : undefined;
  const generated = useNewest(engine, request);
  const problems = useMemo(() => problemsOf(generated), [generated]);
  const models = catalog?.models ?? [];
  return (
    <div className="flex flex-col gap-5">
      <PageHeader
        title={TEXTS.title}
        meta={TEXTS.meta}
        actions={<PageActions draft={draft} request={request} />}
      />
      <SettingsBar
        draft={draft}
        errors={read.errors ?? {}}
        onChange={change}
        locale={localeOf(draft.schema, models)}
        locales={localesOf(models)}
        onLocale={(locale) => change({ schema: changeLocale(draft.schema, locale, models) })}
      />
      <div className="grid min-w-0 items-start gap-5 xl:grid-cols-2">
        <SchemaCard
          schema={draft.schema}
          onChange={(schema) => change({ schema })}
          problems={problems}
          catalog={catalog}
          onReady={setEditor}
        />
        <ResultsPanel
          engine={engine}
          generated={generated}
          request={request}
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

function problemsOf(generated: Newest<'records'> | undefined): readonly SchemaProblem[] {
  const response = generated?.response;
  if (response?.kind === 'records')
    return response.warnings.map((warning) => ({ ...warning, severity: 'warning' }));
  return response?.kind === 'refused'
    ? response.problems.map((problem) => ({ ...problem, severity: 'error' }))
    : [];
}
