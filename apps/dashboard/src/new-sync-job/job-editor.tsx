import { useNavigate } from '@tanstack/react-router';
import { Button, ErrorNotice, Notice, toast } from '@understudy/ui';
import { useMemo, useRef, useState } from 'react';

import { problemOf } from '../api/problem.js';
import { LeaveGuard } from '../frame/leave-guard.js';
import { useEngine } from '../engine/use-engine.js';
import { useAllows } from '../session/use-session.js';
import type { JobForm } from './form/job-form.js';
import type { FormProblem } from './form/form-location.js';
import { toRequest } from './form/write-request.js';
import { useCreateJob } from './queries.js';
import { DryRunPanel } from './review/dry-run-panel.js';
import { ReviewCard } from './review/review-card.js';
import { StartDialog } from './review/start-dialog.js';
import { RulesCard } from './rules/rules-card.js';
import type { OpenDialog } from './rules/rules-dialogs.js';
import { DatabasesCard } from './start/databases-card.js';
import { OptionsCard } from './start/options-card.js';
import { StartCard } from './start/start-card.js';
import { TEXTS } from './texts.js';
import { useJobForm } from './use-job-form.js';

/** The form of a new job. Leaving the page asks first. */
export function JobEditor({ initial }: { readonly initial: JobForm }) {
  const engine = useEngine();
  const create = useCreateJob();
  const { form, dispatch, change, problems, isDirty, errorOf, ...job } = useJobForm(
    initial,
    engine,
    create.error,
  );
  const [open, setOpen] = useState<OpenDialog>();
  const [isConfirming, setConfirming] = useState(false);
  const [dryRun, setDryRun] = useState<{ readonly id: string; readonly form: JobForm }>();
  const mayStart = useAllows({ role: 'member', scope: 'jobs:write' });
  const page = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();

  const jump = ({ location }: FormProblem): void => {
    dispatch('tried');
    if (location.kind === 'column')
      setOpen({ kind: 'column', tableId: location.table.id, column: location.column });
    if (location.kind === 'table') setOpen({ kind: 'settings', tableId: location.table.id });
    if (location.kind === 'field') focusField(page.current, location.field);
  };
  const ifComplete = (action: () => void): void => {
    dispatch('tried');
    if (job.firstProblem === undefined) action();
    else jump(job.firstProblem);
  };
  const send = (isDryRun: boolean): void => {
    dispatch('sent');
    create.mutate(toRequest(form, { dryRun: isDryRun }), {
      onSuccess: ({ id }) => {
        if (isDryRun) return setDryRun({ id, form });
        setConfirming(false);
        toast.success(TEXTS.review.started);
        void navigate({ to: '/sync-jobs/$jobId', params: { jobId: id }, ignoreBlocker: true });
      },
      onError: () => setConfirming(false),
    });
  };
  const problem = create.error === null ? undefined : problemOf(create.error);
  const button = { disabled: !mayStart, pending: create.isPending && !isConfirming };
  return (
    <div ref={page} className="flex min-w-0 flex-col gap-5">
      {!mayStart && <Notice announce={false} tone="warning" text={TEXTS.noPermission} />}
      <StartCard engine={engine} isDirty={isDirty} onImport={(imported) => dispatch(() => imported)} />
      <DatabasesCard form={form} onChange={change} errorOf={errorOf} />
      <div data-location="tables">
        <RulesCard
          tables={form.tables}
          isOfDatabase={form.replace === 'database'}
          onChange={dispatch}
          problems={problems}
          checks={job.checks}
          engine={engine}
          open={open}
          onOpen={setOpen}
        />
      </div>
      <OptionsCard form={form} onChange={change} errorOf={errorOf} />
      <ReviewCard
        problems={problems.all}
        onJump={jump}
        request={useMemo(() => toRequest(form, { dryRun: false }), [form])}
        actions={
          <>
            <Button kind="primary" {...button} onClick={() => ifComplete(() => setConfirming(true))}>
              {TEXTS.review.start}
            </Button>
            <Button {...button} onClick={() => ifComplete(() => send(true))}>
              {TEXTS.review.dryRun}
            </Button>
          </>
        }
      >
        {problem && <ErrorNotice problem={job.hasDetails ? { ...problem, details: [] } : problem} />}
        {dryRun && <DryRunPanel id={dryRun.id} isStale={dryRun.form !== form} />}
      </ReviewCard>
      <StartDialog
        form={form}
        open={isConfirming}
        onOpenChange={setConfirming}
        pending={create.isPending}
        onConfirm={() => send(false)}
      />
      <LeaveGuard title={TEXTS.leave} isDirty={isDirty && !create.isSuccess} />
    </div>
  );
}

/** Moves the focus to a field of the page, and shows it. */
function focusField(page: HTMLElement | null, field: string): void {
  const target = page?.querySelector<HTMLElement>(`[data-location="${field}"] ${FOCUSABLE}`);
  target?.focus();
  target?.scrollIntoView({ block: 'center' });
}

const FOCUSABLE = ':is(input:not([type="hidden"], [aria-hidden="true"]), button, textarea)';
