import { writeExactJson } from '@understudy/expression';
import type { SyncJob, SyncJobDefinition } from '@understudy/client';
import {
  Badge,
  type BadgeProps,
  Card,
  Code,
  columnsOf,
  CopyButton,
  EmptyState,
  FilterBar,
  SearchField,
  Table,
} from '@understudy/ui';
import { useMemo, useState } from 'react';

import { QueryState } from '../../api/query-state.js';
import { isUnlistedColumns, UNLISTED_TEXTS } from '../../work/unlisted-columns.js';
import { useDefinition } from '../queries.js';
import {
  definitionRows,
  matchingRows,
  reasonOf,
  type DefinitionRow,
  type Treatment,
} from './definition-rows.js';
import { DETAIL_TEXTS } from './texts.js';

const { definition: texts } = DETAIL_TEXTS;

/** The rules of a job, and the parts of its definition that are withheld. */
export function DefinitionTab({ job }: { readonly job: SyncJob }) {
  const query = useDefinition(job.id);
  const { data } = query;
  if (!data) return <QueryState query={query} lines={8} />;
  return (
    <div className="flex flex-col gap-6">
      {data.withheld.length > 0 && <WithheldCard paths={data.withheld} />}
      <RulesCard definition={data} />
    </div>
  );
}

function RulesCard({ definition: { definition } }: { readonly definition: SyncJobDefinition }) {
  const [text, setText] = useState('');
  const rows = useMemo(() => definitionRows(definition), [definition]);
  const matching = useMemo(() => matchingRows(rows, text), [rows, text]);
  const json = useMemo(() => writeExactJson(definition, '  '), [definition]);
  return (
    <Card
      title={texts.caption}
      text={texts.text}
      actions={<CopyButton value={json} label={texts.copy} />}
      flush
    >
      <div className="px-4 pb-3">
        <FilterBar
          label={texts.filter}
          active={text !== ''}
          onClear={() => setText('')}
          end={texts.count(matching.length)}
        >
          <SearchField label={texts.filter} placeholder={texts.filterHint} value={text} onChange={setText} />
        </FilterBar>
      </div>
      <Table
        caption={texts.caption}
        columns={COLUMNS}
        rows={matching}
        rowKey={({ key }) => key}
        virtual
        empty={<EmptyState {...texts.noMatch} />}
      />
    </Card>
  );
}

function WithheldCard({ paths }: { readonly paths: readonly string[] }) {
  return (
    <Card title={texts.withheld} text={texts.withheldText} flush>
      <Table
        caption={texts.withheldCaption}
        columns={WITHHELD_COLUMNS}
        rows={paths}
        rowKey={(path) => path}
        virtual={paths.length > 100}
      />
    </Card>
  );
}

/** The tones that are not neutral. */
const TONES: Readonly<Partial<Record<Treatment, BadgeProps['tone']>>> = {
  masked: 'success',
  null: 'info',
  withheld: 'warning',
  rows: 'info',
};

function treatmentText(treatment: Treatment): string {
  return isUnlistedColumns(treatment) ? UNLISTED_TEXTS[treatment].treatment : texts.treatments[treatment];
}

const COLUMNS = columnsOf<DefinitionRow>()(texts.columns, {
  table: {
    width: '28%',
    cell: ({ table }) => (
      <span className="line-clamp-3 font-medium" dir="auto" title={table}>
        {table}
      </span>
    ),
  },
  column: {
    width: '24%',
    cell: ({ column, isUnnamed }) => (
      <span
        className={isUnnamed ? 'text-muted' : 'line-clamp-3'}
        {...(isUnnamed ? {} : { dir: 'auto', title: column })}
      >
        {column}
      </span>
    ),
  },
  treatment: {
    width: '8rem',
    cell: ({ treatment }) => <Badge tone={TONES[treatment] ?? 'neutral'}>{treatmentText(treatment)}</Badge>,
  },
  rule: {
    cell: ({ rule }) =>
      rule === '' ? (
        <span className="text-faint">–</span>
      ) : (
        <code className="line-clamp-6 font-mono text-sm wrap-anywhere" title={rule}>
          {rule}
        </code>
      ),
  },
});

const WITHHELD_COLUMNS = columnsOf<string>()(texts.columns, {
  part: { cell: (path) => <Code>{path}</Code> },
  reason: { cell: reasonOf },
});
