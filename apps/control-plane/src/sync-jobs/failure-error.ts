import type { AgentFailure } from '../agent-link/sync-job-event.js';
import { failureMessage, knownCode, type Names } from '../agent-work/failure-message.js';
import { problemDetails } from './problem-details.js';
import type { JobError } from '../agent-work/work-state.js';

/** The job's error for its owner; with more than one problem the message tells how many there are. */
export function failureError(failure: AgentFailure, names: Names): JobError {
  const code = knownCode(failure.code);
  const details = problemDetails(failure, names);
  const message = failureMessage(failure, names);
  const { problemCount = details.length } = failure;
  if (problemCount < 2) return { code, message, details };
  const shown = problemCount > details.length ? `the first ${details.length} in` : 'all in';
  return {
    code,
    message: `${problemCount} problems, ${shown} details; no row was moved. ${message}`,
    details,
  };
}
