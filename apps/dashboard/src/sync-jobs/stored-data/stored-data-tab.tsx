import type { StoredData, StoredFact, SyncJob } from '@understudy/client';
import {
  Badge,
  Button,
  Card,
  Code,
  columnsOf,
  formatCount,
  Notice,
  Section,
  Stat,
  Table,
} from '@understudy/ui';
import { Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

import { QueryState } from '../../api/query-state.js';
import { useStoredData } from '../queries.js';
import { ChoicesSection, MessagesSection } from './wire-schema.js';
import { STORED_DATA_TEXTS as TEXTS } from './texts.js';

/** Everything that the control plane stores about a job, and can receive about it. */
export function StoredDataTab({ job }: { readonly job: SyncJob }) {
  const query = useStoredData(job.id);
  const { data } = query;
  const isPrinting = usePrinting();
  if (!data) return <QueryState query={query} lines={8} />;
  return (
    <div className="flex flex-col gap-8">
      <Summary data={data} />
      <Section title={TEXTS.facts.title} text={TEXTS.facts.text}>
        <Card flush>
          <Table
            caption={TEXTS.facts.title}
            columns={FACT_COLUMNS}
            rows={data.facts}
            rowKey={({ origin, path }) => `${origin} ${path}`}
          />
        </Card>
      </Section>
      <MessagesSection messages={data.messages} isPrinting={isPrinting} />
      <ChoicesSection enums={data.enums} isPrinting={isPrinting} />
    </div>
  );
}

/** Returns true from the first time that the page is printed, by the button or by the browser's menu. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const unfold = () => flushSync(() => setPrinting(true));
    window.addEventListener('beforeprint', unfold);
    return () => window.removeEventListener('beforeprint', unfold);
  }, []);
  return isPrinting;
}

function Summary({ data: { facts, messages } }: { readonly data: StoredData }) {
  const fields = messages.flatMap((message) => message.fields);
  const { stats } = TEXTS;
  return (
    <div className="flex flex-col gap-5">
      <Notice
        tone="success"
        announce={false}
        title={TEXTS.headline}
        text={TEXTS.text}
        action={
          <span className="print:hidden">
            <Button icon={<Printer aria-hidden />} onClick={() => window.print()}>
              {TEXTS.print}
            </Button>
          </span>
        }
      />
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Stat label={stats.facts} value={formatCount(facts.length)} />
        <Stat label={stats.messages} value={formatCount(messages.length)} />
        <Stat label={stats.fields} value={formatCount(fields.length)} />
        <Stat
          label={stats.texts}
          value={formatCount(fields.filter(({ kind }) => kind === 'text').length)}
          text={stats.textsHint}
        />
      </div>
    </div>
  );
}

const { facts: texts } = TEXTS;
const FACT_COLUMNS = columnsOf<StoredFact>()(texts.columns, {
  path: {
    width: '34%',
    cell: ({ path, description }) => (
      <span className="flex min-w-0 flex-col">
        <Code>{path}</Code>
        <span className="text-sm font-normal text-muted">{description}</span>
      </span>
    ),
  },
  origin: { width: '11rem', cell: ({ origin }) => <Badge>{texts.origins[origin] ?? origin}</Badge> },
  values: { cell: (fact) => <Values {...fact} /> },
});

function Values({ values, value_count: count }: Pick<StoredFact, 'values' | 'value_count'>) {
  if (values === null || count === null) return <span className="text-muted">{texts.hidden}</span>;
  if (count === 0) return <span className="text-faint">{texts.none}</span>;
  return (
    <span className="flex min-w-0 flex-col">
      <span className="font-mono text-sm wrap-anywhere" dir="auto">
        {values.join(', ')}
      </span>
      {count > values.length && <span className="text-sm text-muted">{texts.more(formatCount(count))}</span>}
    </span>
  );
}
