import { failureError, type Names } from '@understudy/sync-job';

import type { AgentPrediction } from '../../agent-link/messages/sync-job-event.js';
import type { JobPrediction } from '../sync-job.js';

/** As many are kept; an agent sends no more. */
const MAX_PROBLEMS = 100;

/** What a dry run has found, in words. Pure; whatever an agent sends. */
export function predictionOf(prediction: AgentPrediction, names: Names): JobPrediction {
  const problems = prediction.failures.slice(0, MAX_PROBLEMS).map((failure) => failureError(failure, names));
  return {
    problems,
    problemCount: Math.max(problems.length, prediction.failureCount),
    tables: prediction.tables.flatMap(({ tableIndex, rows }) => {
      const name = names.table(tableIndex);
      return name === undefined || !Number.isSafeInteger(rows) || rows < 0 ? [] : [{ name, rows }];
    }),
  };
}
