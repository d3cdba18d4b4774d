import { setTimeout as sleep } from 'node:timers/promises';

import { removeRequest, takeOutcome, writeCancelRequest } from '../../operator/request-files.js';
import { readStatus } from '../../operator/status-file.js';
import { judgeStatus } from '../status/describe-status.js';

export interface CancelResult {
  /** `cancelled`, `not_running`, `unknown_job`, `not_ended`, or how the job ended instead. */
  readonly outcome: string;
  readonly message: string;
  readonly exitCode: 0 | 1 | 2 | 3;
}

/** Asks the running agent to cancel work, and waits for the outcome. */
export async function cancelWork(
  stateDir: string,
  workId: string,
  { waitMs = WAIT_MS }: { readonly waitMs?: number } = {},
): Promise<CancelResult> {
  if (judgeStatus(await readStatus(stateDir), new Date()).name === 'not_running') return NOT_RUNNING;
  const request = await writeCancelRequest(stateDir, workId);
  const deadline = performance.now() + waitMs;
  let isNoticeDue = true;
  while (performance.now() < deadline) {
    const outcome = await takeOutcome(stateDir, request);
    if (outcome !== undefined) return resultOf(workId, outcome);
    if (isNoticeDue && performance.now() > deadline - waitMs + NOTICE_AFTER_MS) {
      process.stderr.write(`waiting for ${workId} to end …\n`);
      isNoticeDue = false;
    }
    await sleep(POLL_MS);
  }
  // The agent removes a request when it accepts it. If the request is still there, nobody has accepted it.
  if (await removeRequest(stateDir, request)) return NOT_RUNNING;
  return {
    outcome: 'not_ended',
    message: `The agent is stopping ${workId}, which has not ended within ${waitMs / 1000} s. See "understudy-agent status".`,
    exitCode: 3,
  };
}

function resultOf(workId: string, outcome: string): CancelResult {
  if (outcome === 'cancelled')
    return { outcome, message: `${workId} is cancelled. Its target is as it was before.`, exitCode: 0 };
  const message =
    outcome === 'unknown_job'
      ? `${workId} does not run on this agent. "understudy-agent status" lists the jobs that run.`
      : outcome === 'completed'
        ? `${workId} was not cancelled: its last transaction was already committing, and it has completed.`
        : `${workId} was not cancelled: it ended before that, with ${outcome}.`;
  return { outcome, message, exitCode: 1 };
}

const NOT_RUNNING: CancelResult = {
  outcome: 'not_running',
  message: 'No agent runs on this state folder, so nothing was cancelled. Compare "understudy-agent status".',
  exitCode: 2,
};
const WAIT_MS = 15_000;
const POLL_MS = 100;
const NOTICE_AFTER_MS = 2_000;
