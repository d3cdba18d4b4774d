import type { FieldProblem } from '../request/field-problem.js';
import { defined, type Failure } from './failure.js';
import { failureMessage, knownCode } from './failure-message.js';
import type { Names } from './names.js';
import { problemDetails } from './problem-details.js';
import { SYNC_JOB_MESSAGES } from './message-set.js';

/** A failure with its message and details. */
export interface FailureError {
  readonly code: string;
  readonly message: string;
  /** Each problem with the path of the job's field that causes it. */
  readonly details: readonly FieldProblem[];
}

/**
 * Writes the error of a job for its owner. If there is more than one problem, the message states their
 * number.
 */
export function failureError(failure: Failure, names: Names, messages = SYNC_JOB_MESSAGES): FailureError {
  const code = knownCode(failure.code, messages);
  const details = problemDetails(failure, names, messages);
  // The first problem describes the failure itself. Only problems contain names, kinds of relations and
  // values of settings.
  const { column, constraint, relationKind, locksPerTransaction, object, objectRole, creating, table } =
    failure.problems?.[0] ?? {};
  const { sessionsNeeded, sessionsHad, sessionLimit } = failure.problems?.[0] ?? {};
  const named = {
    ...failure,
    ...defined({ column, constraint, object, objectRole, creating, relationKind, table }),
    ...defined({ locksPerTransaction, sessionsNeeded, sessionsHad, sessionLimit }),
  };
  const message = failureMessage(named, names, messages);
  const { problemCount = details.length } = failure;
  if (problemCount < 2) return { code, message, details };
  const shown = problemCount > details.length ? `the first ${details.length}` : 'all';
  return {
    code,
    message: `${problemCount} problems, ${shown} ${messages.list}; no row was copied. ${message}`,
    details,
  };
}
