import type { AgentPrediction } from '@understudy/agent-protocol';
import { failureError, type Names } from '@understudy/sync-job';

import type { JobPrediction } from '../sync-job.js';

/** The limit on stored problems. Our agents send at most this number. */
const MAX_PROBLEMS = 100;

/** Converts the prediction of a dry run to messages with names. Pure. It accepts any input of an agent. */
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
