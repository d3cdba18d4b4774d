import type { FieldProblem } from '../request/field-problem.js';
import type { Failure } from './failure.js';
import { failureMessage, knownCode } from './failure-message.js';
import type { Names } from './names.js';
import { problemDetails } from './problem-details.js';
import { SYNC_JOB_WORDING } from './wording.js';

/** A failure in words. */
export interface FailureError {
  readonly code: string;
  readonly message: string;
  /** Each problem at the place of the job that it is about. */
  readonly details: readonly FieldProblem[];
}

/** The job's error for its owner; with more than one problem the message tells how many there are. */
export function failureError(failure: Failure, names: Names, wording = SYNC_JOB_WORDING): FailureError {
  const code = knownCode(failure.code, wording);
  const details = problemDetails(failure, names, wording);
  // The failure is the first of its problems, which alone have names.
  const { column, constraint } = failure.problems?.[0] ?? {};
  const named = {
    ...failure,
    ...(column === undefined ? {} : { column }),
    ...(constraint === undefined ? {} : { constraint }),
  };
  const message = failureMessage(named, names, wording);
  const { problemCount = details.length } = failure;
  if (problemCount < 2) return { code, message, details };
  const shown = problemCount > details.length ? `the first ${details.length}` : 'all';
  return {
    code,
    message: `${problemCount} problems, ${shown} ${wording.list}; no row was moved. ${message}`,
    details,
  };
}
