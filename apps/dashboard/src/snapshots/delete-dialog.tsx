import type { ListedSnapshot } from '@understudy/client';
import { ConfirmDialog, toast } from '@understudy/ui';

import { problemOf } from '../api/problem.js';
import { useSnapshotChanges } from './queries.js';
import { TEXTS } from './texts.js';

/** Deletes a snapshot, or cancels its creation. */
export function DeleteSnapshotDialog({
  snapshot,
  onClose,
  onDeleted,
}: {
  readonly snapshot: Pick<ListedSnapshot, 'id' | 'name' | 'status'>;
  readonly onClose: () => void;
  readonly onDeleted?: (() => void) | undefined;
}) {
  const { remove } = useSnapshotChanges();
  const { title, consequence, confirm, done } =
    snapshot.status === 'creating' ? TEXTS.cancellation : TEXTS.deletion;
  const problem = remove.error === null ? undefined : problemOf(remove.error);
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={title(snapshot.name)}
      consequence={consequence}
      confirmLabel={confirm}
      pending={remove.isPending}
      error={problem && `${problem.text} ${problem.remedy}`}
      onConfirm={() =>
        remove.mutate(snapshot.id, {
          onSuccess: () => {
            toast.success(done(snapshot.name));
            onClose();
            onDeleted?.();
          },
        })
      }
    />
  );
}
