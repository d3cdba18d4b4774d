import { Link } from '@tanstack/react-router';
import { Menu, type MenuItem } from '@understudy/ui';
import { Ban, CopyPlus, RotateCw, Trash2, Undo2, Unplug } from 'lucide-react';
import { useState } from 'react';

import { client } from '../api/client.js';
import { MutationDialog } from '../api/mutation-dialog.js';
import { useAllows } from '../session/use-session.js';
import { SYNC_JOBS } from './queries.js';
import { RunAgainDialog, type ActedJob } from './run-again-dialog.js';
import { TEXTS } from './texts.js';

const { actions: texts } = TEXTS;

type Open = 'cancel' | 'delete' | 'runAgain' | 'release' | 'revert';

/**
 * The menu of a job with its dialogs. It is empty for a session that may not change jobs.
 * @param isHeld whether an agent has the job, so that an admin can take the job from it
 * @param isKept whether the database that the job has replaced is kept, so that it can come back
 */
export function JobActions({
  job,
  kind = 'quiet',
  isHeld = false,
  isKept = false,
  onDeleted,
}: {
  readonly job: ActedJob;
  readonly kind?: 'quiet' | 'secondary';
  readonly isHeld?: boolean;
  readonly isKept?: boolean;
  /** Called instead of closing the dialog, for example to leave the page of the job. */
  readonly onDeleted?: () => unknown;
}) {
  const [open, setOpen] = useState<Open>();
  const mayWrite = useAllows({ role: 'member', scope: 'jobs:write' });
  const mayRelease = useAllows({ role: 'admin', scope: 'jobs:write' });
  if (!mayWrite) return null;
  const isActive = job.status === 'pending' || job.status === 'running';
  const items: (MenuItem | 'separator')[] = [
    { label: texts.runAgain, icon: <RotateCw />, onSelect: () => setOpen('runAgain') },
    {
      label: texts.clone,
      icon: <CopyPlus />,
      render: <Link to="/sync-jobs/new" search={{ from: job.id }} />,
    },
    ...(isHeld && mayRelease
      ? [{ label: texts.release, icon: <Unplug />, onSelect: () => setOpen('release') }]
      : []),
    ...(isKept ? [{ label: texts.revert, icon: <Undo2 />, onSelect: () => setOpen('revert') }] : []),
    'separator',
    isActive
      ? { label: texts.cancel, icon: <Ban />, danger: true, onSelect: () => setOpen('cancel') }
      : { label: texts.delete, icon: <Trash2 />, danger: true, onSelect: () => setOpen('delete') },
  ];
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu
        label={texts.menu(job.name)}
        kind={kind}
        size={kind === 'quiet' ? 'small' : 'medium'}
        items={items}
      />
      {open === 'runAgain' && <RunAgainDialog job={job} onClose={close} />}
      {open !== undefined && open !== 'runAgain' && (
        <JobChangeDialog
          change={open}
          job={job}
          onClose={close}
          onDone={open === 'delete' ? onDeleted : undefined}
        />
      )}
    </>
  );
}

/** Each change of a job, with its texts and its call. */
const CHANGES = {
  cancel: { textsOf: texts.cancellation, run: (id: string) => client.jobs.delete(id) },
  delete: { textsOf: texts.deletion, run: (id: string) => client.jobs.delete(id) },
  release: { textsOf: texts.releasing, run: (id: string) => client.jobs.release(id) },
  revert: { textsOf: texts.reverting, run: (id: string) => client.jobs.revert(id) },
} as const;

export function JobChangeDialog({
  change,
  job: { id, name },
  onClose,
  onDone = onClose,
}: {
  readonly change: keyof typeof CHANGES;
  readonly job: ActedJob;
  readonly onClose: () => void;
  readonly onDone?: (() => unknown) | undefined;
}) {
  const { textsOf, run } = CHANGES[change];
  return (
    <MutationDialog<unknown>
      {...textsOf(name)}
      run={() => run(id)}
      queryKey={SYNC_JOBS}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
