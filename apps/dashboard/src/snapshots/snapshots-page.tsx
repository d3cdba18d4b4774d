import { Link } from '@tanstack/react-router';
import type { ListedSnapshot } from '@understudy/client';
import { Button, Bytes, EmptyState, PageHeader, TextLink, Time, type TableColumn } from '@understudy/ui';
import { Camera, Plus } from 'lucide-react';
import { useState } from 'react';

import { ListTable } from '../api/list-table.js';
import { useAllows } from '../session/use-session.js';
import { CreateSnapshotDialog } from './create-dialog.js';
import { useListedSnapshot, useSnapshots } from './queries.js';
import { SnapshotActions } from './snapshot-actions.js';
import { SnapshotStatusBadge } from './snapshot-status.js';
import { TEXTS } from './texts.js';

/** The snapshots of the organisation, newest first. */
export function SnapshotsPage() {
  const list = useSnapshots();
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
      <ListTable
        list={list}
        caption={TEXTS.caption}
        columns={COLUMNS}
        rowLink={({ id }) => <Link to="/snapshots/$snapshotId" params={{ snapshotId: id }} />}
        empty={<NoSnapshots />}
      />
      {creating && <CreateSnapshotDialog onClose={() => setCreating(false)} />}
    </div>
  );
}

function NoSnapshots() {
  const { title, text, agents } = TEXTS.empty;
  return (
    <EmptyState
      title={title}
      text={text}
      icon={<Camera />}
      action={<TextLink render={<Link to="/agents" />}>{agents}</TextLink>}
    />
  );
}

const { columns } = TEXTS;
const COLUMNS: readonly TableColumn<ListedSnapshot>[] = [
  {
    id: 'name',
    header: columns.name,
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
  {
    id: 'status',
    header: columns.status,
    width: '9rem',
    cell: (snapshot) => <LiveStatus snapshot={snapshot} />,
  },
  {
    id: 'size',
    header: columns.size,
    width: '7rem',
    align: 'end',
    cell: ({ size_bytes: size }) => <Bytes bytes={size === 0 ? undefined : size} />,
  },
  {
    id: 'created',
    header: columns.created,
    width: '9rem',
    hideBelow: 'md',
    cell: ({ created_at: created }) => <Time iso={created} format="relative" />,
  },
  {
    id: 'expires',
    header: columns.expires,
    width: '9rem',
    hideBelow: 'md',
    cell: ({ status, expires_at: expires }) => (
      <Time iso={status === 'failed' || status === 'deleting' ? null : expires} format="relative" />
    ),
  },
  {
    id: 'actions',
    header: columns.actions,
    headerHidden: true,
    width: '3.5rem',
    align: 'end',
    cell: (snapshot) => <SnapshotActions snapshot={snapshot} />,
  },
];

/** The status of a snapshot, which is loaded again while it changes. */
function LiveStatus({ snapshot }: { readonly snapshot: ListedSnapshot }) {
  return <SnapshotStatusBadge snapshot={useListedSnapshot(snapshot)} />;
}
