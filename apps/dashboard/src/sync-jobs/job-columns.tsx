import type { ListedSyncJob } from '@understudy/client';
import { Count, Duration, Time, type TableColumn } from '@understudy/ui';

import { serverNow } from '../session/use-session.js';
import { durationOf, percentOf } from '../work/figures.js';
import { JobActions } from './job-actions.js';
import { JobStatusBadge } from './job-status.js';
import { useListedProgress } from './queries.js';
import { TEXTS } from './texts.js';

const { columns: texts } = TEXTS;

export const JOB_COLUMNS: readonly TableColumn<ListedSyncJob>[] = [
  {
    id: 'name',
    header: texts.name,
    sort: true,
    cell: ({ name, source, target }) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate font-medium" dir="auto" title={name}>
          {name}
        </span>
        <span className="truncate text-xs text-muted" title={`${source} → ${target}`}>
          {source} → {target}
        </span>
      </span>
    ),
  },
  {
    id: 'status',
    header: texts.status,
    width: '9rem',
    sort: true,
    cell: (job) => <JobStatusBadge job={job} />,
  },
  {
    id: 'progress',
    header: texts.progress,
    width: '10rem',
    cell: (job) => <JobProgress job={job} />,
  },
  {
    id: 'rows',
    header: texts.rows,
    width: '8rem',
    align: 'end',
    cell: ({ rows_processed: rows }) => <Count count={rows} />,
  },
  {
    id: 'duration',
    header: texts.duration,
    width: '8rem',
    align: 'end',
    hideBelow: 'md',
    cell: (job) => <Duration ms={durationOf(job, serverNow())} />,
  },
  {
    id: 'created_at',
    header: texts.created,
    width: '9rem',
    sort: true,
    hideBelow: 'md',
    cell: ({ created_at: created }) => <Time iso={created} format="relative" />,
  },
  {
    id: 'actions',
    header: texts.actions,
    headerHidden: true,
    width: '3.5rem',
    align: 'end',
    cell: (job) => <JobActions job={job} />,
  },
];

/** The phase and the share of copied rows of a running job, and the number of tables of any other one. */
function JobProgress({ job }: { readonly job: ListedSyncJob }) {
  const progress = useListedProgress(job);
  if (!progress?.phase) return <span className="text-muted">{TEXTS.tables(job.table_count)}</span>;
  const percent = percentOf(progress.rows_done, progress.rows_total);
  const phase = TEXTS.phases[progress.phase] ?? progress.phase;
  return percent === undefined ? phase : TEXTS.phasePercent(phase, percent);
}
