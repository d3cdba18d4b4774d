import { Button, CodeBlock, formatBytes, Notice } from '@understudy/ui';

import { ProblemNotice } from '../../api/query-state.js';
import type { PlaygroundEngine } from '../../engine/playground-engine.js';
import { ACTIONS, TEXTS } from '../texts.js';
import type { RecordsRequest } from '../../engine/worker/messages.js';
import type { Comparison } from './compare-texts.js';
import { apiFormat, useComparison } from './use-api.js';

export interface CompareWithApiProps {
  readonly engine: PlaygroundEngine;
  /** Undefined while the page has no records to compare. */
  readonly request: RecordsRequest | undefined;
  /** The text beside the button. */
  readonly summary: string;
}

/** A button that sends the schema to the API, and compares the bytes. The result belongs to one request. */
export function CompareWithApi({ engine, request, summary }: CompareWithApiProps) {
  const comparison = useComparison(engine);
  const isShown = comparison.variables !== undefined && comparison.variables === request;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-muted tabular-nums">{summary}</p>
        <Button
          size="small"
          disabled={request === undefined}
          pending={comparison.isPending}
          onClick={() => request && comparison.mutate(request)}
        >
          {ACTIONS.compare}
        </Button>
      </div>
      {isShown && <ProblemNotice error={comparison.error} />}
      {isShown && comparison.data && <Result comparison={comparison.data} request={comparison.variables} />}
    </div>
  );
}

function Result({
  comparison,
  request,
}: {
  readonly comparison: Comparison;
  readonly request: RecordsRequest;
}) {
  if (comparison.kind === 'same')
    return (
      <Notice
        tone="success"
        title={ACTIONS.same}
        text={ACTIONS.sameText(formatBytes(comparison.bytes), TEXTS.formats[apiFormat(request)])}
      />
    );
  return (
    <Notice tone="danger" title={ACTIONS.different} text={ACTIONS.differentText(comparison.line)}>
      <div className="mt-2 flex flex-col gap-2">
        <CodeBlock code={comparison.page ?? ACTIONS.noLine} language={ACTIONS.here} wrap />
        <CodeBlock code={comparison.api ?? ACTIONS.noLine} language={ACTIONS.api} wrap />
      </div>
    </Notice>
  );
}
