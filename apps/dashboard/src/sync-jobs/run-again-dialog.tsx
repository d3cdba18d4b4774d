import { useNavigate } from '@tanstack/react-router';
import type { ListedSyncJob } from '@understudy/client';

import { client } from '../api/client.js';
import { MutationDialog } from '../api/mutation-dialog.js';
import { SYNC_JOBS } from './queries.js';
import { TEXTS } from './texts.js';

const { repetition: texts } = TEXTS.actions;

/** The facts about a job that its actions need. */
export type ActedJob = Pick<ListedSyncJob, 'id' | 'name' | 'status' | 'target' | 'dry_run'>;

/** Runs a job again, and shows the new job. */
export function RunAgainDialog({ job, onClose }: { readonly job: ActedJob; readonly onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <MutationDialog
      kind={job.dry_run ? 'primary' : 'danger'}
      title={texts.title(job.name)}
      text={job.dry_run ? texts.dryRun : texts.consequence(job.target)}
      confirmLabel={texts.confirm}
      run={() => client.jobs.runAgain(job.id)}
      queryKey={SYNC_JOBS}
      done={texts.done}
      onClose={onClose}
      onDone={({ id }) => {
        onClose();
        return navigate({ to: '/sync-jobs/$jobId', params: { jobId: id } });
      }}
    />
  );
}
