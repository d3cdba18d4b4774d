import { startOfUtcDay } from '@understudy/sync-job';
import { Button } from '@understudy/ui';
import { RefreshCw } from 'lucide-react';
import { useMemo, useState } from 'react';

import type { PlaygroundEngine } from '../../engine/playground-engine.js';
import type { SampleRuleRequest } from '../../engine/checks/sample-rule.js';
import { useNewest } from '../../engine/use-engine.js';
import type { ColumnForm } from '../form/job-form.js';
import { TEXTS } from '../texts.js';

const { samples: texts } = TEXTS.rule;

export interface RuleSamplesProps {
  readonly engine: PlaygroundEngine;
  readonly column: ColumnForm;
  /** The columns of the table. A pattern may read their new values. */
  readonly columns: readonly ColumnForm[];
}

/** Sample values of a rule. It is empty for a rule that produces none, such as one that keeps the column. */
export function RuleSamples({ engine, column, columns }: RuleSamplesProps) {
  const [seed, setSeed] = useState(1);
  const request = useMemo((): SampleRuleRequest => {
    const others = columns.flatMap(({ name, rule }) => (name === column.name ? [] : [[name, rule] as const]));
    // oxlint-disable-next-line react/purity -- samples change at most once a day
    const nowMs = startOfUtcDay(new Date()).getTime();
    return { kind: 'sample-rule', rule: column.rule, others, seed, nowMs };
  }, [column, columns, seed]);
  const sampled = useNewest(engine, request)?.response;
  if (sampled?.kind !== 'sample-rule') return null;
  const { samples, unknownNames } = sampled;
  if (unknownNames.length > 0)
    return <p className="text-sm wrap-anywhere text-muted">{texts.unknown(unknownNames.join(', '))}</p>;
  if (samples.length === 0) return null;
  return (
    <section aria-label={texts.title} className="flex flex-col gap-2 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-medium">{texts.title}</h3>
        <Button size="small" kind="quiet" icon={<RefreshCw aria-hidden />} onClick={() => setSeed(seed + 1)}>
          {texts.again}
        </Button>
      </div>
      <ul className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        {samples.map((value, index) => (
          <li key={index} dir="auto" title={value} className="truncate font-mono text-sm">
            {value}
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">{texts.text}</p>
    </section>
  );
}
