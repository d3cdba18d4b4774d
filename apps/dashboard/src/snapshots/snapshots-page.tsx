import { getRouteApi, Link } from '@tanstack/react-router';
import type { ListedSnapshot } from '@understudy/client';
import { Button, Bytes, columnsOf, EmptyState, FilterBar, PageHeader, Time } from '@understudy/ui';
import { Camera, Plus } from 'lucide-react';
import { useState } from 'react';

import { ListTable } from '../api/list-table.js';
import { useAllows } from '../session/use-session.js';
import { FilterSelect } from '../work/filter-select.js';
import { NameFilter } from '../work/name-filter.js';
import { NamedStatus } from '../work/named-status.js';
import { NoWork } from '../work/no-work.js';
import { CreateSnapshotDialog } from './create-dialog.js';
import { statusOf } from './phases.js';
import { useListedSnapshot, useSnapshots } from './queries.js';
import { SnapshotActions } from './snapshot-actions.js';
import { readSnapshotFilters, STATUSES } from './snapshot-filters.js';
import { TEXTS } from './texts.js';

const route = getRouteApi('/frame/snapshots');

/** The snapshots of the organisation, newest first. The address of the page holds the filters. */
export function SnapshotsPage() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const list = useSnapshots(filters);
  const isFiltered = Object.keys(filters).length > 0;
  const change = (changed: object) =>
    void navigate({ search: readSnapshotFilters({ ...filters, ...changed }), replace: true });
  const mayCreate = useAllows({ role: 'member', scope: 'snapshots:write' });
  const [creating, setCreating] = useState(false);
  const create = mayCreate && (
    <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setCreating(true)}>
      {TEXTS.create.open}
    </Button>
  );
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={TEXTS.title} meta={TEXTS.meta} actions={create} />
      {(isFiltered || list.total !== 0) && (
        <FilterBar
          label={TEXTS.filters.label}
          active={isFiltered}
          onClear={() => void navigate({ search: {}, replace: true })}
          end={list.total !== undefined && TEXTS.count(list.total)}
        >
          <NameFilter value={filters.name ?? ''} onChange={(name) => change({ name })} />
          <FilterSelect
            label={TEXTS.filters.status}
            any={TEXTS.filters.anyStatus}
            options={STATUSES.map((value) => ({ value, label: TEXTS.statuses[value] ?? value }))}
            value={filters.status}
            onChange={(status) => change({ status })}
          />
        </FilterBar>
      )}
      <ListTable
        list={list}
        caption={TEXTS.caption}
        columns={COLUMNS}
        rowLink={({ id }) => <Link to="/snapshots/$snapshotId" params={{ snapshotId: id }} />}
        empty={
          isFiltered ? (
            <EmptyState {...TEXTS.noMatch} />
          ) : (
            <NoWork {...TEXTS.empty} icon={<Camera />} action={create} />
          )
        }
      />
      {creating && <CreateSnapshotDialog onClose={() => setCreating(false)} />}
    </div>
  );
}

const COLUMNS = columnsOf<ListedSnapshot>()(TEXTS.columns, {
  name: {
    cell: ({ name, database }) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate font-medium" dir="auto" title={name}>
          {name}
        </span>
        <span className="truncate text-xs text-muted" dir="auto" title={database}>
          {database}
        </span>
      </span>
    ),
  },
  status: { width: '9rem', cell: (snapshot) => <LiveStatus snapshot={snapshot} /> },
  size: {
    width: '7rem',
    align: 'end',
    cell: ({ size_bytes: size }) => <Bytes bytes={size === 0 ? undefined : size} />,
  },
  created: {
    width: '9rem',
    hideBelow: 'md',
    cell: ({ created_at: created }) => <Time iso={created} format="relative" />,
  },
  expires: {
    width: '9rem',
    hideBelow: 'md',
    cell: ({ status, expires_at: expires }) => (
      <Time iso={status === 'failed' || status === 'deleting' ? null : expires} format="relative" />
    ),
  },
  actions: {
    headerHidden: true,
    width: '3.5rem',
    align: 'end',
    cell: (snapshot) => <SnapshotActions snapshot={snapshot} />,
  },
});

/** The status of a snapshot, which is loaded again while it changes. */
function LiveStatus({ snapshot }: { readonly snapshot: ListedSnapshot }) {
  return <NamedStatus status={statusOf(useListedSnapshot(snapshot))} labels={TEXTS.statuses} />;
}
