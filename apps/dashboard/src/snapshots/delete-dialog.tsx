import type { ListedSnapshot } from '@understudy/client';

import { client } from '../api/client.js';
import { MutationDialog } from '../api/mutation-dialog.js';
import { SNAPSHOTS } from './queries.js';
import { TEXTS } from './texts.js';

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
  const { title, consequence, confirm, done } = status === 'creating' ? TEXTS.cancellation : TEXTS.deletion;
  return (
    <MutationDialog
      title={title(name)}
      text={consequence}
      confirmLabel={confirm}
      run={() => client.snapshots.delete(id)}
      queryKey={SNAPSHOTS}
      done={done(name)}
      onClose={onClose}
      onDone={onDeleted}
    />
  );
}
