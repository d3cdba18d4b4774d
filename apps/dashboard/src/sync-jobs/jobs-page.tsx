import { getRouteApi, Link } from '@tanstack/react-router';
import { EmptyState, LinkButton, PageHeader, Tabs, type TableSort } from '@understudy/ui';
import { ArrowRightLeft, Plus } from 'lucide-react';

import { ListTable } from '../api/list-table.js';
import { useAllows } from '../session/use-session.js';
import { useAgentNames } from '../work/agents.js';
import { NoWork } from '../work/no-work.js';
import { JobFilterBar } from './job-filter-bar.js';
import { JOB_STATUSES, narrowingOf, readJobFilters, type JobFilters, type JobStatus } from './job-filters.js';
import { JOB_COLUMNS } from './job-columns.js';
import { useJobCounts, useJobs } from './queries.js';
import { TEXTS } from './texts.js';

const route = getRouteApi('/frame/sync-jobs');

/** The sync jobs of the organisation. The address of the page holds the filters. */
export function JobsPage() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const mayCreate = useAllows({ role: 'member', scope: 'jobs:write' });
  const list = useJobs(filters);
  const counts = useJobCounts(filters);
  const agents = useAgentNames();
  const { status = 'all', sort = '-created_at' } = filters;
  const isFiltered = filters.status !== undefined || Object.keys(narrowingOf(filters)).length > 0;
  const change = (changed: { readonly [Key in keyof JobFilters]?: JobFilters[Key] | 'all' | undefined }) =>
    void navigate({ search: readJobFilters({ ...filters, ...changed }), replace: true });
  const create = mayCreate && (
    <LinkButton kind="primary" icon={<Plus aria-hidden />} render={<Link to="/sync-jobs/new" />}>
      {TEXTS.create}
    </LinkButton>
  );
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={TEXTS.title} meta={TEXTS.meta} actions={create} />
      <Tabs
        label={TEXTS.views}
        tabs={(['all', ...JOB_STATUSES] as const).map((id) => ({
          id,
          label: id === 'all' ? TEXTS.all : (TEXTS.statuses[id] ?? id),
          count: countOf(counts, id),
        }))}
        value={status}
        onChange={(id) => change({ status: id })}
      >
        <div className="flex flex-col gap-4">
          <JobFilterBar
            filters={filters}
            agents={agents}
            total={list.total}
            onChange={change}
            onClear={() => void navigate({ search: {}, replace: true })}
          />
          <ListTable
            list={list}
            caption={TEXTS.caption}
            columns={JOB_COLUMNS}
            rowLink={({ id }) => <Link to="/sync-jobs/$jobId" params={{ jobId: id }} />}
            sort={sortOf(sort)}
            onSort={({ id, direction }) =>
              change({ sort: `${direction === 'desc' ? '-' : ''}${id}` as JobFilters['sort'] })
            }
            empty={
              isFiltered ? (
                <EmptyState {...TEXTS.noMatch} />
              ) : (
                <NoWork {...TEXTS.empty} icon={<ArrowRightLeft />} action={create} />
              )
            }
          />
        </div>
      </Tabs>
    </div>
  );
}

function countOf(counts: Record<JobStatus, number> | undefined, id: JobStatus | 'all') {
  if (counts === undefined) return undefined;
  return id === 'all' ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[id];
}

function sortOf(sort: string): TableSort {
  return sort.startsWith('-') ? { id: sort.slice(1), direction: 'desc' } : { id: sort, direction: 'asc' };
}
