import type { SyncJob, SyncJobPrediction } from '@understudy/client';
import { Button, Card, columnsOf, Count, Notice, Table } from '@understudy/ui';
import { useState } from 'react';

import { ProblemNotice } from '../../api/query-state.js';
import { useWholeJob } from '../queries.js';
import { DETAIL_TEXTS } from './texts.js';

const { prediction: texts } = DETAIL_TEXTS;

/** The result of a dry run. The expected rows of each table are loaded on demand. */
export function PredictionCard({
  job,
  prediction,
}: {
  readonly job: SyncJob;
  /** Without tables. */
  readonly prediction: SyncJobPrediction;
}) {
  const [showsTables, setShowsTables] = useState(false);
  const whole = useWholeJob(job.id, showsTables);
  const tables = whole.data?.prediction?.tables;
  return (
    <Card
      title={texts.title}
      actions={
        !tables && (
          <Button pending={whole.isFetching} onClick={() => setShowsTables(true)}>
            {texts.showTables}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <Notice
          tone={prediction.ok ? 'success' : 'danger'}
          announce={false}
          text={prediction.ok ? texts.ok : texts.problems(prediction.problem_count)}
        />
        {prediction.problems.length > 0 && (
          <Table
            caption={texts.caption}
            columns={PROBLEM_COLUMNS}
            rows={prediction.problems.map((problem, index) => ({ ...problem, key: String(index) }))}
            rowKey={({ key }) => key}
          />
        )}
        <ProblemNotice error={whole.error} onRetry={whole.refetch} />
        {tables && (
          <Table
            caption={texts.tables}
            columns={TABLE_COLUMNS}
            rows={tables}
            rowKey={({ name }) => name}
            virtual
          />
        )}
      </div>
    </Card>
  );
}

const PROBLEM_COLUMNS = columnsOf<SyncJobPrediction['problems'][number]>()(texts.columns, {
  code: { width: '14rem', cell: ({ code }) => <code className="font-mono text-sm">{code}</code> },
  message: {
    cell: ({ message, details }) => (
      <span className="flex flex-col gap-1">
        <span>{message}</span>
        {details.map((detail, index) => (
          <span key={index} className="text-sm text-muted">
            {detail.field}: {detail.message}
          </span>
        ))}
      </span>
    ),
  },
});

const TABLE_COLUMNS = columnsOf<SyncJobPrediction['tables'][number]>()(texts.columns, {
  table: { cell: ({ name }) => <span dir="auto">{name}</span> },
  rows: {
    width: '12rem',
    align: 'end',
    cell: ({ rows_expected: rows }) => (rows === null ? texts.few : <Count count={rows} />),
  },
});
