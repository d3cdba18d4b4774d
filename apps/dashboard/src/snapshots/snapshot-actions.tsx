import type { ListedSnapshot } from '@understudy/client';
import { Menu, type MenuItem } from '@understudy/ui';
import { Ban, DatabaseBackup, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { client } from '../api/client.js';
import { MutationDialog } from '../api/mutation-dialog.js';
import { useAllows } from '../session/use-session.js';
import { SNAPSHOTS } from './queries.js';
import { RestoreDialog } from './restores/restore-dialog.js';
import { TEXTS } from './texts.js';

/** The menu of a snapshot in the list. It is empty for a session that may not change snapshots. */
export function SnapshotActions({ snapshot }: { readonly snapshot: ListedSnapshot }) {
  const [open, setOpen] = useState<'restore' | 'delete'>();
  const mayWrite = useAllows({ role: 'member', scope: 'snapshots:write' });
  if (!mayWrite || snapshot.status === 'deleting') return null;
  const isCreating = snapshot.status === 'creating';
  const items: (MenuItem | 'separator')[] = [
    ...(snapshot.status === 'ready'
      ? [
          { label: TEXTS.restoring.open, icon: <DatabaseBackup />, onSelect: () => setOpen('restore') },
          'separator' as const,
        ]
      : []),
    {
      label: isCreating ? TEXTS.cancellation.open : TEXTS.deletion.open,
      icon: isCreating ? <Ban /> : <Trash2 />,
      danger: true,
      onSelect: () => setOpen('delete'),
    },
  ];
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu label={TEXTS.menu(snapshot.name)} kind="quiet" size="small" items={items} />
      {open === 'restore' && <RestoreDialog snapshot={snapshot} onClose={close} />}
      {open === 'delete' && <DeleteSnapshotDialog snapshot={snapshot} onClose={close} />}
    </>
  );
}

/** Deletes a snapshot, or cancels its creation. @param onDeleted called instead of closing the dialog */
export function DeleteSnapshotDialog({
  snapshot: { id, name, status },
  onClose,
  onDeleted = onClose,
}: {
  readonly snapshot: Pick<ListedSnapshot, 'id' | 'name' | 'status'>;
  readonly onClose: () => void;
  readonly onDeleted?: (() => unknown) | undefined;
}) {
  const texts = status === 'creating' ? TEXTS.cancellation : TEXTS.deletion;
  return (
    <MutationDialog
      {...texts.dialog(name)}
      run={() => client.snapshots.delete(id)}
      queryKey={SNAPSHOTS}
      onClose={onClose}
      onDone={onDeleted}
    />
  );
}
