import type { SyncJob } from '@understudy/client';
import { Button, Card, columnsOf, formatCount, StatusBadge, Table } from '@understudy/ui';
import { useState } from 'react';

import { ProblemNotice } from '../../api/query-state.js';
import { useWholeJob } from '../queries.js';
import { DETAIL_TEXTS } from './texts.js';

const { verification: texts } = DETAIL_TEXTS;

type Verification = NonNullable<SyncJob['verification']>;
type Check = Verification['checks'][number];

/** The checks of the copy. Checks that passed are loaded on demand. */
export function VerificationCard({
  job,
  verification,
}: {
  readonly job: SyncJob;
  /** With failed checks only. */
  readonly verification: Verification;
}) {
  const [showsAll, setShowsAll] = useState(false);
  const whole = useWholeJob(job.id, showsAll);
  const checks = whole.data?.verification?.checks ?? verification.checks;
  return (
    <Card
      title={texts.title}
      flush={checks.length > 0}
      actions={
        !whole.data && (
          <Button pending={whole.isFetching} onClick={() => setShowsAll(true)}>
            {texts.showAll}
          </Button>
        )
      }
      text={
        <StatusBadge
          status={verification.ok ? 'succeeded' : 'failed'}
          label={verification.ok ? texts.ok : texts.failed}
        />
      }
    >
      <ProblemNotice error={whole.error} onRetry={whole.refetch} />
      {checks.length > 0 && (
        <Table
          caption={texts.caption}
          columns={COLUMNS}
          // Failed checks are the first ones.
          rows={checks.toSorted((one, other) => Number(one.ok) - Number(other.ok))}
          rowKey={({ check, table, column }) => JSON.stringify([check, table, column])}
          virtual
        />
      )}
    </Card>
  );
}

const COLUMNS = columnsOf<Check>()(texts.columns, {
  table: {
    cell: ({ table }) => (
      <span className="font-medium" dir="auto">
        {table}
      </span>
    ),
  },
  check: { width: '14rem', cell: ({ check }) => texts.checks[check] ?? check },
  result: {
    width: '8rem',
    cell: ({ ok }) => (
      <StatusBadge status={ok ? 'succeeded' : 'failed'} label={ok ? texts.passed : texts.failure} />
    ),
  },
  checked: {
    cell: ({ column, looked_at: count, rows }) => {
      if (column !== null) return <span dir="auto">{column}</span>;
      if (rows !== null)
        return texts.rows(formatCount(rows.source), formatCount(rows.copied), formatCount(rows.target));
      return count === null ? '–' : formatCount(count);
    },
  },
});
