import { useNavigate } from '@tanstack/react-router';
import type { CreateSyncJobRequest, ListedSyncJob, SyncJobDefinition } from '@understudy/client';
import { Button, Code, Dialog } from '@understudy/ui';

import { client } from '../api/client.js';
import { MutationDialog } from '../api/mutation-dialog.js';
import { QueryState } from '../api/query-state.js';
import { SYNC_JOBS, useDefinition } from './queries.js';
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
  const query = useDefinition(job.id);
  const { data } = query;
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
      <QueryState query={query} lines={3} />
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
            <Code>{path}</Code>
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
  const navigate = useNavigate();
  return (
    <MutationDialog
      kind={definition.dry_run ? 'primary' : 'danger'}
      title={texts.title(job.name)}
      text={definition.dry_run ? texts.dryRun : texts.consequence(job.target, job.table_count)}
      confirmLabel={texts.confirm}
      // Nothing is withheld, so the definition is a complete request.
      run={() => client.jobs.create(definition as CreateSyncJobRequest)}
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
