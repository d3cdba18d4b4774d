import { advance, isEnded, type JobError, type Trigger, type WorkState } from './work-state.js';

/**
 * - `applied`: the work changed.
 * - `duplicate`: this number was applied before; nothing changed.
 * - `stale`: from an older lease, or from an agent that does not hold the newest one; nothing changed.
 */
export type Outcome = 'applied' | 'duplicate' | 'stale';

/** One report of an agent, as far as it moves the state. */
export interface Report {
  readonly epoch: number;
  readonly seq: number;
  /** By the agent's clock. */
  readonly occurredAt: Date;
  readonly result:
    { readonly type: 'alive' | 'completed' } | { readonly type: 'failed'; readonly failure: ReportedFailure };
}

export interface ReportedFailure {
  readonly error: JobError;
  /** Of the attempt, not of the work: another one may succeed. */
  readonly isRetryable: boolean;
}

export interface ReportContext {
  /** The sender, from the subject that only it may publish on. */
  readonly agentId: string;
  readonly now: Date;
  readonly createdAt: Date;
  readonly maxAttempts: number;
}

/** Events of one epoch may arrive with gaps or out of order (a lost message is sent again later): a higher number wins. */
export function outcomeOf(
  state: WorkState,
  { epoch, seq }: Pick<Report, 'epoch' | 'seq'>,
  agentId: string,
): Outcome {
  if (epoch !== state.epoch || agentId !== state.agentId) return 'stale';
  return seq <= state.lastSeq || isEnded(state.status) ? 'duplicate' : 'applied';
}

/** Pure. The state after a report whose outcome is `applied`, and when it was made in this side's time. */
export function applyReport(
  state: WorkState,
  report: Report,
  { now, createdAt, maxAttempts }: ReportContext,
): { readonly state: WorkState; readonly at: Date } {
  const at = clampAgentTime(report.occurredAt, { earliest: state.startedAt ?? createdAt, latest: now });
  const next = advance(state, triggerOf(report, state.attempts < maxAttempts), { now: at });
  return { state: { ...next, lastSeq: Math.max(state.lastSeq, report.seq) }, at };
}

function triggerOf({ result }: Report, mayTryAgain: boolean): Trigger {
  if (result.type === 'completed') return { type: 'agent_completed' };
  if (result.type !== 'failed') return { type: 'agent_alive' };
  const { error, isRetryable } = result.failure;
  if (!isRetryable) return { type: 'agent_failed', error };
  return mayTryAgain ? { type: 'attempt_lost' } : { type: 'attempts_exhausted', error };
}

/**
 * Keeps an instant of an agent, whose clock may be wrong, within what is possible here. `latest` decides when the two bounds contradict
 * each other.
 */
export function clampAgentTime(at: Date, { earliest, latest }: { earliest: Date; latest: Date }): Date {
  if (!(at <= latest) || earliest > latest) return latest; // `at` may be no date at all
  return at < earliest ? earliest : at;
}
