import { ApiError } from '@understudy/client';
import { useCallback, useMemo, useReducer } from 'react';

import type { PlaygroundEngine } from '../engine/playground-engine.js';
import type { ChangeForm } from './form/change-form.js';
import { checkForm, serverProblems } from './form/check-form.js';
import type { JobForm } from './form/job-form.js';
import { indexProblems } from './form/problem-index.js';
import { useRuleProblems } from './rules/use-rule-problems.js';

interface State {
  readonly form: JobForm;
  /** The form of the last request, to which the problems of the server belong. */
  readonly sent: JobForm;
  /** True after the first attempt to start the job. Fields show their problems from then on. */
  readonly hasTried: boolean;
}

type Action = 'tried' | 'sent' | ChangeForm;

function reduce(state: State, action: Action): State {
  if (action === 'tried') return { ...state, hasTried: true };
  if (action === 'sent') return { ...state, sent: state.form };
  return { ...state, form: action(state.form) };
}

/**
 * Holds the form of a new job with its problems. It is only in memory.
 * @param error the failure of the last request, or null
 */
export function useJobForm(initial: JobForm, engine: PlaygroundEngine, error: Error | null) {
  const [{ form, sent, hasTried }, dispatch] = useReducer(reduce, {
    form: initial,
    sent: initial,
    hasTried: false,
  });
  const checks = useRuleProblems(engine, form.tables);
  const details = error instanceof ApiError && error.status === 422 ? error.details : NO_DETAILS;
  const own = useMemo(() => checkForm(form, checks.problemsOf), [form, checks.problemsOf]);
  const problems = useMemo(
    () => indexProblems([...serverProblems(details, sent, form), ...own]),
    [details, sent, form, own],
  );
  return {
    form,
    dispatch,
    change: useCallback((part: Partial<JobForm>) => dispatch((before) => ({ ...before, ...part })), []),
    isDirty: form !== initial,
    problems,
    /** The first problem that the page itself has found. The problems of the server prevent no other request. */
    firstProblem: own[0],
    /** True if the fields show what the server found. */
    hasDetails: details.length > 0,
    checks: checks.state,
    errorOf: (field: string): string | undefined => (hasTried ? problems.ofField(field) : undefined),
  };
}

const NO_DETAILS: readonly never[] = [];
