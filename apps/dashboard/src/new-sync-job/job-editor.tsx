import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '@understudy/client';
import { Button, ConfirmDialog, ErrorNotice, Notice, toast } from '@understudy/ui';
import { useCallback, useMemo, useRef, useState } from 'react';

import { problemOf } from '../api/problem.js';
import { LeaveGuard } from '../frame/leave-guard.js';
import { useCatalog, useEngine } from '../engine/use-engine.js';
import { useAllows } from '../session/use-session.js';
import { useRuleProblems } from './rules/use-rule-problems.js';
import { checkForm, serverProblems } from './form/check-form.js';
import { removeColumn, setRules } from './form/change-form.js';
import type { JobForm } from './form/job-form.js';
import type { FormProblem } from './form/form-location.js';
import { indexProblems } from './form/problem-index.js';
import { toRequest } from './form/write-request.js';
import { useCreateJob } from './queries.js';
import { DryRunPanel } from './review/dry-run-panel.js';
import { ReviewCard } from './review/review-card.js';
import { type EditedRule, RuleEditor } from './rules/rule-editor.js';
import { RulesCard } from './rules/rules-card.js';
import { DatabasesCard } from './start/databases-card.js';
import { OptionsCard } from './start/options-card.js';
import { StartCard } from './start/start-card.js';
import { TEXTS } from './texts.js';

/** The form of a new job. It is only in memory: leaving the page asks first. */
export function JobEditor({ initial }: { readonly initial: JobForm }) {
  const [form, setForm] = useState(initial);
  const [hasTried, setTried] = useState(false);
  const [edited, setEdited] = useState<EditedRule>();
  const [settingsOf, setSettingsOf] = useState<number>();
  const [isConfirming, setConfirming] = useState(false);
  const [dryRun, setDryRun] = useState<{ readonly id: string; readonly form: JobForm }>();
  const [sent, setSent] = useState(initial);
  const mayStart = useAllows({ role: 'member', scope: 'jobs:write' });
  const page = useRef<HTMLDivElement>(null);
  const engine = useEngine();
  const catalog = useCatalog(engine);
  const checks = useRuleProblems(engine, form.tables);
  const create = useCreateJob();
  const navigate = useNavigate();

  const { error } = create;
  const details = error instanceof ApiError && error.status === 422 ? error.details : NO_DETAILS;
  const own = useMemo(() => checkForm(form, checks.problemsOf), [form, checks.problemsOf]);
  const all = useMemo(() => [...serverProblems(details, sent, form), ...own], [details, sent, form, own]);
  const problems = useMemo(() => indexProblems(all), [all]);
  const errorOf = (field: string): string | undefined => (hasTried ? problems.ofField(field) : undefined);
  const change = useCallback((part: Partial<JobForm>) => setForm((before) => ({ ...before, ...part })), []);

  const jump = ({ location }: FormProblem): void => {
    setTried(true);
    if (location.kind === 'column')
      setEdited({ kind: 'column', tableId: location.table.id, column: location.column });
    if (location.kind === 'table') setSettingsOf(location.table.id);
    if (location.kind === 'field') {
      const target = page.current?.querySelector<HTMLElement>(
        `[data-location="${location.field}"] ${FOCUSABLE}`,
      );
      target?.focus();
      target?.scrollIntoView({ block: 'center' });
    }
  };
  const isComplete = (): boolean => {
    setTried(true);
    const [first] = problems.all.filter((problem) => own.includes(problem));
    if (first === undefined) return true;
    jump(first);
    return false;
  };
  const send = (isDryRun: boolean): void => {
    setSent(form);
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
  const problem = error === null ? undefined : problemOf(error);
  const areDetailsShown = details.length > 0;
  return (
    <div ref={page} className="flex min-w-0 flex-col gap-5">
      {!mayStart && <Notice announce={false} tone="warning" text={TEXTS.noPermission} />}
      <StartCard engine={engine} isDirty={form !== initial} onImport={setForm} />
      <DatabasesCard form={form} onChange={change} errorOf={errorOf} />
      <div data-location="tables">
        <RulesCard
          form={form}
          onChange={setForm}
          problems={problems}
          checks={checks.state}
          onEdit={(tableId, column) => setEdited({ kind: 'column', tableId, column })}
          onEditSelected={(isChosen, count) => setEdited({ kind: 'selection', isChosen, count })}
          settingsOf={settingsOf}
          onSettings={setSettingsOf}
        />
      </div>
      <OptionsCard form={form} onChange={change} errorOf={errorOf} />
      <ReviewCard
        problems={problems.all}
        onJump={jump}
        request={useMemo(() => toRequest(form, { dryRun: false }), [form])}
        actions={
          <>
            <Button
              kind="primary"
              disabled={!mayStart}
              pending={create.isPending && !isConfirming}
              onClick={() => isComplete() && setConfirming(true)}
            >
              {TEXTS.review.start}
            </Button>
            <Button
              disabled={!mayStart}
              pending={create.isPending && !isConfirming}
              onClick={() => isComplete() && send(true)}
            >
              {TEXTS.review.dryRun}
            </Button>
          </>
        }
      >
        {problem && <ErrorNotice problem={areDetailsShown ? { ...problem, details: [] } : problem} />}
        {dryRun && <DryRunPanel id={dryRun.id} isStale={dryRun.form !== form} />}
      </ReviewCard>
      {edited && (
        <RuleEditor
          edited={edited}
          form={form}
          problems={problems}
          catalog={catalog}
          engine={engine}
          onRules={(isChosen, rule) => setForm((before) => setRules(before, isChosen, rule))}
          onRemove={(address) => setForm((before) => removeColumn(before, address))}
          onClose={() => setEdited(undefined)}
        />
      )}
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={TEXTS.confirm.title(form.name)}
        consequence={TEXTS.confirm.consequence(
          TEXTS.confirm.tables(form.tables.length),
          shownDatabase(form.target),
        )}
        confirmLabel={TEXTS.confirm.confirm}
        pending={create.isPending}
        onConfirm={() => send(false)}
      />
      <LeaveGuard title={TEXTS.leave} isDirty={form !== initial && !create.isSuccess} />
    </div>
  );
}

const NO_DETAILS: readonly never[] = [];
const FOCUSABLE = ':is(input:not([type="hidden"], [aria-hidden="true"]), button, textarea)';

/** A URL is not shown, because it may contain a password. */
function shownDatabase(database: string): string {
  return database.startsWith('agent:') ? database : TEXTS.confirm.urlTarget;
}
