import type { SyncPhase } from '@understudy/sync-job';

import type { WorkState } from '../../../agents/agent-work/leases/work-state.js';
import type { AttemptOutcome, AttemptPhase, JobAttempt } from '../sync-job.js';

/** The limit on stored attempts. Older ones are dropped. */
export const MAX_ATTEMPTS = 20;
/** The limit on stored phases of one attempt. Our agents report each of the six phases at most once. */
export const MAX_ATTEMPT_PHASES = 12;

type History = readonly JobAttempt[];

/** Returns whether a change of state starts or ends an attempt that the history does not show yet. */
export function isHistoryBehind(history: History, state: WorkState): boolean {
  const last = history.at(-1);
  if (state.leaseExpiresAt !== null) return last?.number !== state.epoch;
  return last !== undefined && last.endedAt === null;
}

/**
 * Returns the history after a change of state. Pure and idempotent. It returns the same array if no attempt
 * started or ended.
 * @param at the time of the change, by the control plane's clock
 * @param errorCode the code of an error that ended only this attempt
 */
export function historyAfter(history: History, { before, after, at, errorCode }: Change): History {
  if (!isHistoryBehind(history, after)) return history;
  const last = history.at(-1);
  const ended =
    last?.endedAt === null
      ? [...history.slice(0, -1), endOf(last, { before, after, at, errorCode })]
      : history;
  if (after.leaseExpiresAt === null) return ended;
  const started: JobAttempt = {
    number: after.epoch,
    agentId: after.agentId,
    startedAt: (after.leasedAt ?? at).toISOString(),
    endedAt: null,
    outcome: null,
    errorCode: null,
    phases: [],
  };
  return [...ended, started].slice(-MAX_ATTEMPTS);
}

export interface Change {
  readonly before: WorkState;
  readonly after: WorkState;
  readonly at: Date;
  readonly errorCode?: string | undefined;
}

/** Returns the history after an agent reported that it is in a phase. Pure. */
export function withPhase(history: History, phase: SyncPhase | null | undefined, at: Date): History {
  const attempt = history.at(-1);
  if (!phase || attempt?.endedAt !== null || attempt.phases.at(-1)?.phase === phase) return history;
  if (attempt.phases.length >= MAX_ATTEMPT_PHASES) return history;
  const startedAt = at.toISOString();
  const phases = [...endPhases(attempt.phases, startedAt), { phase, startedAt, endedAt: null }];
  return [...history.slice(0, -1), { ...attempt, phases }];
}

function endOf(attempt: JobAttempt, { before, after, at, errorCode }: Change): JobAttempt {
  const end = at < new Date(attempt.startedAt) ? attempt.startedAt : at.toISOString();
  const { outcome, code } = outcomeOf({ before, after, errorCode });
  return { ...attempt, endedAt: end, outcome, errorCode: code, phases: endPhases(attempt.phases, end) };
}

function outcomeOf({ before, after, errorCode }: Omit<Change, 'at'>): {
  readonly outcome: AttemptOutcome;
  readonly code: string | null;
} {
  if (after.status === 'completed') return { outcome: 'completed', code: null };
  if (after.lostLeases > before.lostLeases) return { outcome: 'connection_lost', code: null };
  if (after.attempts < before.attempts) return { outcome: 'returned', code: null };
  return { outcome: 'failed', code: after.error?.code ?? errorCode ?? null };
}

function endPhases(phases: readonly AttemptPhase[], endedAt: string): readonly AttemptPhase[] {
  return phases.map((phase) => (phase.endedAt === null ? { ...phase, endedAt } : phase));
}
