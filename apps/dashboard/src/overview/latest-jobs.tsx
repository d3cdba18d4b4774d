import { Link } from '@tanstack/react-router';
import type { ListedSyncJob } from '@understudy/client';
import { Card, columnsOf, Count, Table, TextLink, Time, Truncated } from '@understudy/ui';

import { DryRunBadge, JobStatusBadge } from '../sync-jobs/job-status.js';
import { TEXTS } from './texts.js';

const { jobs: texts } = TEXTS;

/** The newest jobs of any status. */
export function LatestJobs({ jobs }: { readonly jobs: readonly ListedSyncJob[] }) {
  return (
    <Card
      title={texts.title}
      flush
      actions={<TextLink render={<Link to="/sync-jobs" />}>{texts.all}</TextLink>}
    >
      <Table
        caption={texts.caption}
        columns={COLUMNS}
        rows={jobs}
        rowKey={({ id }) => id}
        rowLink={({ id }) => <Link to="/sync-jobs/$jobId" params={{ jobId: id }} />}
      />
    </Card>
  );
}

const COLUMNS = columnsOf<ListedSyncJob>()(texts.columns, {
  name: {
    cell: (job) => (
      <span className="flex min-w-0 items-center gap-2">
        <Truncated text={job.name} />
        <DryRunBadge job={job} />
      </span>
    ),
  },
  status: { width: '9rem', cell: (job) => <JobStatusBadge job={job} /> },
  rows: {
    width: '8rem',
    align: 'end',
    cell: ({ dry_run: isDryRun, rows_processed: rows }) => <Count count={isDryRun ? undefined : rows} />,
  },
  created: { width: '10rem', cell: ({ created_at: created }) => <Time iso={created} format="relative" /> },
});
