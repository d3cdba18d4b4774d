import { Button, Card, CodeBlock, Notice, Tabs, VisuallyHidden, formatDuration } from '@understudy/ui';
import { useState } from 'react';

import type { SchemaEditorHandle, SchemaProblem } from '../editor/create-editor.js';
import { BUDGET_MS, type PlaygroundEngine } from '../../engine/playground-engine.js';
import type { Newest } from '../../engine/use-engine.js';
import { FORMATS } from '../state/draft.js';
import { TEXTS } from '../texts.js';
import type { OutputFormat, RecordsRequest, RecordsResponse } from '../../engine/worker/messages.js';
import { ApiRecords } from '../server/api-records.js';
import { CompareWithApi } from '../server/compare-with-api.js';
import { ProblemList } from './problem-list.js';
import { RecordsTable } from './records-table.js';
import { useThrottled } from '../../engine/use-throttled.js';

/** Screen readers hear about new records at most this often. */
const ANNOUNCED_EVERY_MS = 5_000;

type Generated = Newest<'records'>;
type Records = Extract<RecordsResponse, { kind: 'records' }>;

export interface ResultsPanelProps {
  readonly engine: PlaygroundEngine;
  readonly generated: Generated | undefined;
  /** The current request; undefined while the settings are invalid. */
  readonly request: RecordsRequest | undefined;
  readonly format: OutputFormat;
  readonly onFormat: (format: OutputFormat) => void;
  readonly problems: readonly SchemaProblem[];
  readonly editor: SchemaEditorHandle | null;
  readonly onRetry: () => void;
}

/** The records of the schema, or why there are none. */
export function ResultsPanel(props: ResultsPanelProps) {
  const { generated, format, onFormat, problems, editor } = props;
  const response = generated?.response;
  const [last, setLast] = useState<Records>();
  if (response?.kind === 'records' && response !== last) setLast(response);
  const summary = summarize(generated);
  const isValid = response?.kind === 'records' && generated?.request === props.request;
  return (
    <Card>
      <Announcement text={summary} />
      <Tabs
        label={TEXTS.formatsLabel}
        value={format}
        onChange={onFormat}
        tabs={FORMATS.map((id) => ({ id, label: TEXTS.formats[id] }))}
      >
        <div className="flex flex-col gap-3">
          <CompareWithApi
            engine={props.engine}
            request={isValid ? props.request : undefined}
            summary={response?.kind === 'refused' ? '' : summary || TEXTS.generating}
          />
          {problems.length > 0 && (
            <ProblemList title={titleOf(problems)} problems={problems} editor={editor} />
          )}
          {generated && response?.kind === 'refused' && response.unknownNames.length > 0 && (
            <ApiRecords request={generated.request} names={response.unknownNames} />
          )}
          {response !== undefined && <Failure response={response} onRetry={props.onRetry} />}
          {last !== undefined && response?.kind !== 'records' && (
            <p className="text-sm text-muted">{TEXTS.stale}</p>
          )}
          {last === undefined ? (
            response && <p className="text-muted">{TEXTS.noRecords}</p>
          ) : (
            <Output output={last.output} format={format} />
          )}
        </div>
      </Tabs>
    </Card>
  );
}

function Output({ output, format }: { readonly output: Records['output']; readonly format: OutputFormat }) {
  if (output.kind === 'table') return <RecordsTable columns={output.columns} rows={output.rows} />;
  return <CodeBlock code={output.text} language={TEXTS.formats[format]} maxHeight={40} />;
}

function Failure({
  response,
  onRetry,
}: {
  readonly response: Generated['response'];
  readonly onRetry: () => void;
}) {
  if (response.kind !== 'failed' && response.kind !== 'timeout') return null;
  const { title, text } =
    response.kind === 'timeout'
      ? { title: TEXTS.timeout.title, text: TEXTS.timeout.text(BUDGET_MS / 1000) }
      : TEXTS.failed[response.cause];
  return (
    <Notice
      tone="danger"
      title={title}
      text={text}
      action={<Button onClick={onRetry}>{TEXTS.retry}</Button>}
    />
  );
}

function Announcement({ text }: { readonly text: string }) {
  const announced = useThrottled(text, ANNOUNCED_EVERY_MS);
  return (
    <div role="status">
      <VisuallyHidden>{announced}</VisuallyHidden>
    </div>
  );
}

function summarize(generated: Generated | undefined): string {
  if (generated === undefined) return '';
  const { response, request, ms } = generated;
  if (response.kind === 'records')
    return TEXTS.generated(TEXTS.recordCount(request.count), formatDuration(ms));
  return response.kind === 'refused' ? TEXTS.problems(response.problems.length) : '';
}

function titleOf(problems: readonly SchemaProblem[]): string {
  return problems.some(({ severity }) => severity === 'error')
    ? TEXTS.problems(problems.length)
    : TEXTS.warnings(problems.length);
}
