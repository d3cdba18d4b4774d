import type { ListedSyncJob } from '@understudy/client';
import { columnsOf, Duration, Progress, Time, Truncated } from '@understudy/ui';

import { serverNow } from '../session/use-session.js';
import { useAgentNames } from '../work/agents.js';
import { durationOf, percentOf } from '../work/figures.js';
import { JobActions } from './job-actions.js';
import { DryRunBadge, JobStatusBadge } from './job-status.js';
import { TEXTS } from './texts.js';

export const JOB_COLUMNS = columnsOf<ListedSyncJob>()(TEXTS.columns, {
  name: { sort: true, cell: (job) => <JobName job={job} /> },
  status: { width: '9rem', sort: true, cell: (job) => <JobStatusBadge job={job} /> },
  progress: { width: '12rem', cell: (job) => <JobProgress job={job} /> },
  agent: { width: '8rem', hideBelow: 'md', cell: ({ agent_id: id }) => <AgentName id={id} /> },
  duration: {
    width: '7rem',
    align: 'end',
    hideBelow: 'md',
    cell: (job) => <Duration ms={durationOf(job, serverNow())} />,
  },
  created_at: {
    width: '9rem',
    sort: true,
    hideBelow: 'md',
    cell: ({ created_at: created }) => <Time iso={created} format="relative" />,
  },
  actions: { headerHidden: true, width: '3.5rem', align: 'end', cell: (job) => <JobActions job={job} /> },
});

function JobName({ job }: { readonly job: ListedSyncJob }) {
  const { name, source, target } = job;
  return (
    <span className="flex min-w-0 flex-col">
      <span className="truncate font-medium" dir="auto" title={name}>
        {name}
      </span>
      <span className="flex min-w-0 items-center gap-2 text-xs text-muted">
        <DryRunBadge job={job} />
        <span className="truncate" title={`${source} → ${target}`}>
          {source} → {target}
        </span>
      </span>
    </span>
  );
}

/** The phase and the copied share of a running job, or what any other job copied and why it failed. */
function JobProgress({ job }: { readonly job: ListedSyncJob }) {
  const { progress, rows_processed: rows, table_count: tables, error_code: error } = job;
  if (progress?.phase) {
    const percent = percentOf(progress.rows_done, progress.rows_total);
    return (
      <Progress
        label={TEXTS.phases[progress.phase] ?? progress.phase}
        value={percent ?? null}
        max={100}
        text={percent === undefined ? undefined : TEXTS.percent(percent)}
      />
    );
  }
  return (
    <span className="flex min-w-0 flex-col">
      <span>{TEXTS.tables(tables)}</span>
      {rows > 0 && <span className="text-xs text-muted">{TEXTS.rows(rows)}</span>}
      {error !== null && error !== 'cancelled' && (
        <code className="truncate font-mono text-xs text-danger" title={error}>
          {error}
        </code>
      )}
    </span>
  );
}

function AgentName({ id }: { readonly id: string | null }) {
  const name = useAgentNames().get(id ?? '') ?? id ?? TEXTS.noAgent;
  return <Truncated text={name} muted={id === null} />;
}
