import { useNavigate } from '@tanstack/react-router';
import type { CreateSyncJobRequest, ListedSyncJob, SyncJobDefinition } from '@understudy/client';
import { Button, ConfirmDialog, Dialog, ErrorNotice, Skeleton, toast } from '@understudy/ui';

import { problemOf } from '../api/problem.js';
import { useDefinition, useJobChanges } from './queries.js';
import { TEXTS } from './texts.js';

const { repetition: texts } = TEXTS.actions;

/** The facts about a job that its actions need. */
export type ActedJob = Pick<ListedSyncJob, 'id' | 'name' | 'status' | 'target' | 'table_count'>;

interface Props {
  readonly job: ActedJob;
  readonly onClose: () => void;
}

/** Posts the definition of a job again, if no part of the definition is withheld. */
export function RunAgainDialog({ job, onClose }: Props) {
  const { data, error, refetch } = useDefinition(job.id);
  if (data && data.withheld.length === 0)
    return <Confirmation job={job} definition={data} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="small"
      title={data ? texts.withheldTitle : texts.title(job.name)}
      description={data ? texts.withheld : texts.loading}
      actions={<Button onClick={onClose}>{texts.close}</Button>}
    >
      {error && !data && <ErrorNotice problem={problemOf(error)} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton lines={3} />}
      {data && <Withheld paths={data.withheld} />}
    </Dialog>
  );
}

/** The number of paths that are listed. */
const SHOWN = 8;

function Withheld({ paths }: { readonly paths: readonly string[] }) {
  return (
    <>
      <ul className="list-disc pl-5">
        {paths.slice(0, SHOWN).map((path) => (
          <li key={path}>
            <code className="font-mono text-sm break-all">{path}</code>
          </li>
        ))}
        {paths.length > SHOWN && <li>{texts.more(paths.length - SHOWN)}</li>}
      </ul>
      <p>{texts.withheldRemedy}</p>
    </>
  );
}

function Confirmation({
  job,
  definition: { definition },
  onClose,
}: Props & { readonly definition: SyncJobDefinition }) {
  const { create } = useJobChanges();
  const navigate = useNavigate();
  const problem = create.error === null ? undefined : problemOf(create.error);
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      kind={definition.dry_run ? 'primary' : 'danger'}
      title={texts.title(job.name)}
      consequence={definition.dry_run ? texts.dryRun : texts.consequence(job.target, job.table_count)}
      confirmLabel={texts.confirm}
      pending={create.isPending}
      error={problem && [problem.text, ...problem.details, problem.remedy].join(' ')}
      onConfirm={() =>
        // Nothing is withheld, so the definition is a complete request.
        create.mutate(definition as CreateSyncJobRequest, {
          onSuccess: ({ id }) => {
            toast.success(texts.done);
            onClose();
            void navigate({ to: '/sync-jobs/$jobId', params: { jobId: id } });
          },
        })
      }
    />
  );
}
