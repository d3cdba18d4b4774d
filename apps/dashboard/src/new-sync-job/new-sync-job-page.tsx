import { getRouteApi, Link } from '@tanstack/react-router';
import { Notice, PageHeader, Skeleton } from '@understudy/ui';
import { useMemo } from 'react';

import { ProblemNotice } from '../api/query-state.js';
import { useDefinition } from '../sync-jobs/queries.js';
import { EMPTY_FORM } from './form/job-form.js';
import { fromDefinition } from './form/read-definition.js';
import { JobEditor } from './job-editor.js';
import { TEXTS } from './texts.js';

const route = getRouteApi('/frame/sync-jobs/new');

/** Makes a sync job: empty, from a job file, or as a copy of an earlier job. */
export function NewSyncJobPage() {
  const { from } = route.useSearch();
  const { data, error, refetch } = useDefinition(from);
  const initial = useMemo(() => (data === undefined ? EMPTY_FORM : fromDefinition(data)), [data]);
  const isLoading = from !== undefined && data === undefined;
  return (
    <div className="flex flex-col gap-5">
      <PageHeader
        title={TEXTS.title}
        meta={TEXTS.meta}
        back={{ label: TEXTS.back, render: <Link to="/sync-jobs" /> }}
      />
      {isLoading && error === null && <Skeleton lines={8} label={TEXTS.loading} />}
      {isLoading && <ProblemNotice error={error} onRetry={refetch} />}
      {data !== undefined && <Notice announce={false} text={TEXTS.copied} />}
      {!isLoading && <JobEditor key={from ?? ''} initial={initial} />}
    </div>
  );
}
