import { getRouteApi } from '@tanstack/react-router';
import type { SyncJob, SyncJobTable } from '@understudy/client';
import {
  Card,
  columnsOf,
  EmptyState,
  FilterBar,
  formatBytes,
  formatCount,
  Select,
  Skeleton,
  Table,
} from '@understudy/ui';

import { ProblemNotice } from '../../api/query-state.js';
import { FilterSelect } from '../../work/filter-select.js';
import { percentOf } from '../../work/figures.js';
import { NamedStatus } from '../../work/named-status.js';
import { readJobSearch } from '../job-filters.js';
import { TEXTS } from '../texts.js';
import { TABLE_SORTS, TABLE_STATUSES } from './table-list.js';
import { TABLES_TEXTS as texts } from './texts.js';
import { useJobTables } from './use-job-tables.js';

const route = getRouteApi('/frame/sync-jobs/$jobId');

/** The tables of a job with their progress. Tables that have not begun are shown as waiting. */
export function TablesTab({ job }: { readonly job: SyncJob }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tables: status, sort = 'position' } = search;
  const list = useJobTables(job, { status, sort });
  const total = status === undefined ? job.table_count : job.table_counts[status];
  const change = (changed: object) =>
    void navigate({ search: readJobSearch({ ...search, ...changed }), replace: true });
  return (
    <div className="flex flex-col gap-4">
      <FilterBar
        label={texts.filter}
        active={status !== undefined || sort !== 'position'}
        onClear={() => change({ tables: undefined, sort: undefined })}
        end={TEXTS.tables(total)}
      >
        <FilterSelect
          label={texts.status}
          any={texts.anyStatus(formatCount(job.table_count))}
          options={TABLE_STATUSES.map((value) => ({
            value,
            label: texts.withCount(texts.statuses[value] ?? value, formatCount(job.table_counts[value])),
          }))}
          value={status}
          onChange={(tables) => change({ tables })}
        />
        <Select
          label={texts.order}
          labelHidden
          options={TABLE_SORTS.map((value) => ({ value, label: texts.orders[value] }))}
          value={sort}
          onChange={(chosen) => change({ sort: chosen })}
        />
      </FilterBar>
      <ProblemNotice error={list.error} onRetry={list.reload} />
      {list.isLoading && !list.error && <Skeleton lines={8} />}
      {!list.isLoading && (
        <Card flush>
          <Table
            caption={texts.caption}
            columns={COLUMNS}
            rows={list.tables}
            rowKey={({ position }) => String(position)}
            totalRows={total}
            onEndReached={list.loadMore}
            loadingMore={list.isLoadingMore}
            virtual
            empty={<EmptyState {...texts.noMatch} />}
          />
        </Card>
      )}
    </div>
  );
}

const COLUMNS = columnsOf<SyncJobTable>()(texts.columns, {
  name: {
    cell: ({ name }) => (
      <span className="line-clamp-3 font-medium" dir="auto" title={name}>
        {name}
      </span>
    ),
  },
  status: {
    width: '9rem',
    cell: ({ status }) => <NamedStatus status={status} labels={texts.statuses} />,
  },
  progress: {
    width: '6rem',
    align: 'end',
    cell: ({ status, rows_processed: done, rows_total: total }) => {
      const percent = percentOf(done, total);
      if (status === 'pending' || percent === undefined) return <span className="text-faint">–</span>;
      return TEXTS.percent(percent);
    },
  },
  rows: {
    width: '14rem',
    align: 'end',
    cell: ({ status, rows_processed: done, rows_total: total }) =>
      status === 'completed' || total === null
        ? formatCount(done)
        : texts.of(formatCount(done), formatCount(total)),
  },
  bytes: {
    width: '12rem',
    align: 'end',
    hideBelow: 'md',
    cell: ({ status, bytes_processed: done, bytes_total: total }) =>
      status === 'completed' || total === null
        ? formatBytes(done)
        : texts.of(formatBytes(done), formatBytes(total)),
  },
});
