import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { SyncJob } from '@understudy/client';
import { Button, PageHeader, Tabs } from '@understudy/ui';
import { Ban } from 'lucide-react';
import { useState } from 'react';

import { ProblemNotice, QueryState } from '../../api/query-state.js';
import { useAllows } from '../../session/use-session.js';
import { JOB_TABS, readJobSearch } from '../job-filters.js';
import { JobActions, JobChangeDialog } from '../job-actions.js';
import { DryRunBadge, JobStatusBadge } from '../job-status.js';
import { isReverting, livenessOf, useJob } from '../queries.js';
import { StoredDataTab } from '../stored-data/stored-data-tab.js';
import { TablesTab } from '../tables/tables-tab.js';
import { TEXTS } from '../texts.js';
import { AttemptsTab } from './attempts-tab.js';
import { DefinitionTab } from './definition-tab.js';
import { OverviewTab } from './overview-tab.js';
import { DETAIL_TEXTS } from './texts.js';
import { useThroughput } from './throughput.js';

const route = getRouteApi('/frame/sync-jobs/$jobId');

/** One sync job. The address of the page holds the part that is shown. */
export function JobPage() {
  const { jobId } = route.useParams();
  const query = useJob(jobId);
  const { data: job, error, dataUpdatedAt } = query;
  if (job) return <LoadedJob key={jobId} job={job} updatedAt={dataUpdatedAt} error={error} />;
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={DETAIL_TEXTS.title}
        back={{ label: DETAIL_TEXTS.back, render: <Link to="/sync-jobs" /> }}
      />
      <QueryState query={query} />
    </div>
  );
}

function LoadedJob({
  job,
  updatedAt,
  error,
}: {
  readonly job: SyncJob;
  readonly updatedAt: number;
  readonly error: Error | null;
}) {
  const { tab = 'overview', ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const samples = useThroughput(job, updatedAt);
  return (
    <div className="flex flex-col gap-6">
      <JobHeader job={job} />
      <ProblemNotice error={error} />
      <Tabs
        label={DETAIL_TEXTS.tabsLabel}
        tabs={JOB_TABS.map((id) => ({ id, label: DETAIL_TEXTS.tabs[id], count: countOf(job, id) }))}
        value={tab}
        onChange={(id) => void navigate({ search: readJobSearch({ ...search, tab: id }) })}
      >
        {tab === 'overview' && <OverviewTab job={job} samples={samples} />}
        {tab === 'tables' && <TablesTab job={job} />}
        {tab === 'attempts' && <AttemptsTab job={job} />}
        {tab === 'definition' && <DefinitionTab job={job} />}
        {tab === 'stored-data' && <StoredDataTab job={job} />}
      </Tabs>
    </div>
  );
}

function JobHeader({ job }: { readonly job: SyncJob }) {
  const navigate = useNavigate();
  const mayWrite = useAllows({ role: 'member', scope: 'jobs:write' });
  const [cancelling, setCancelling] = useState(false);
  const isCancellable = livenessOf(job) !== 'ended' && job.cancel_requested_at === null;
  return (
    <>
      <PageHeader
        title={<span dir="auto">{job.name}</span>}
        back={{ label: DETAIL_TEXTS.back, render: <Link to="/sync-jobs" /> }}
        status={
          <span className="flex flex-wrap items-center gap-2">
            <JobStatusBadge job={job} />
            <DryRunBadge job={job} />
          </span>
        }
        meta={
          <span className="wrap-anywhere">
            {job.source} {DETAIL_TEXTS.arrow} {job.target}
          </span>
        }
        actions={
          <>
            {mayWrite && isCancellable && (
              <Button icon={<Ban aria-hidden />} onClick={() => setCancelling(true)}>
                {TEXTS.actions.cancel}
              </Button>
            )}
            <JobActions
              job={job}
              kind="secondary"
              isHeld={job.link !== null}
              isKept={job.replaced !== null && !isReverting(job)}
              onDeleted={() => navigate({ to: '/sync-jobs' })}
            />
          </>
        }
      />
      {cancelling && <JobChangeDialog change="cancel" job={job} onClose={() => setCancelling(false)} />}
    </>
  );
}

function countOf(job: SyncJob, tab: (typeof JOB_TABS)[number]): number | undefined {
  if (tab === 'tables') return job.table_count;
  return tab === 'attempts' ? job.attempt_history.length : undefined;
}
