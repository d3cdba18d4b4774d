import { Notice, Spinner } from '@understudy/ui';

import { ProblemNotice } from '../../api/query-state.js';
import { useDryRun } from '../queries.js';
import { TEXTS } from '../texts.js';

const { dryRun: texts } = TEXTS;
const SHOWN = 20;

/** Follows a dry run and shows what it found. The form stays as it is. */
export function DryRunPanel({ id, isStale }: { readonly id: string; readonly isStale: boolean }) {
  const { data: job, error } = useDryRun(id);
  if (error !== null) return <ProblemNotice error={error} />;
  if (job === undefined || job.status === 'pending' || job.status === 'running')
    return (
      <Notice title={texts.title}>
        <p className="flex items-center gap-2">
          <Spinner label={texts.title} /> {texts.waiting}
        </p>
        {job?.warnings.map(({ message }, index) => (
          <p key={index}>{message}</p>
        ))}
      </Notice>
    );
  const stale = isStale && <p>{texts.stale}</p>;
  if (job.prediction === null)
    return (
      <Notice tone="danger" title={texts.failed} text={job.error?.message}>
        {job.error?.details.map(({ field, message }, index) => (
          <p key={index} className="wrap-anywhere">
            <code className="font-mono text-sm">{field}</code> {message}
          </p>
        ))}
        {stale}
      </Notice>
    );
  const { ok, problems, problem_count: count } = job.prediction;
  if (ok)
    return (
      <Notice tone="success" title={texts.ok}>
        {stale}
      </Notice>
    );
  return (
    <Notice tone="danger" title={texts.found(count)}>
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {problems.slice(0, SHOWN).map(({ message }, index) => (
          <li key={index} className="wrap-anywhere">
            {message}
          </li>
        ))}
      </ul>
      {stale}
    </Notice>
  );
}
