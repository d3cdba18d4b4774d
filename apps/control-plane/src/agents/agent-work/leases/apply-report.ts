import { advance, contactLost, isEnded, type JobError, type Trigger, type WorkState } from './work-state.js';

/**
 * The effect of a report:
 * - `applied`: the report changed the work.
 * - `duplicate`: nothing changed, because this report or a later one was applied before, or the work has
 *   ended.
 * - `stale`: nothing changed, because the sender does not hold the newest lease.
 */
export type Outcome = 'applied' | 'duplicate' | 'stale';

/** The part of an agent's event that can change the state of work. */
export interface Report {
  readonly epoch: number;
  readonly seq: number;
  /** The time of the event by the agent's clock. */
  readonly occurredAt: Date;
  readonly result:
    | { readonly type: 'alive' | 'completed' }
    | { readonly type: 'failed'; readonly failure: ReportedFailure };
}

export interface ReportedFailure {
  readonly error: JobError;
  /** True if only this attempt failed and another one may succeed. */
  readonly isRetryable: boolean;
}

export interface ReportContext {
  /** The sender, taken from the NATS subject on which only this agent may publish. */
  readonly agentId: string;
  readonly now: Date;
  readonly createdAt: Date;
  readonly maxAttempts: number;
  readonly maxLostLeases: number;
}

/**
 * Decides whether a report takes effect. Messages may be lost and resent, so events of one epoch may arrive
 * with gaps or out of order. A report counts as a duplicate if its number is not higher than the last applied
 * number.
 */
export function outcomeOf(
  state: WorkState,
  { epoch, seq }: Pick<Report, 'epoch' | 'seq'>,
  agentId: string,
): Outcome {
  if (epoch !== state.epoch || agentId !== state.agentId) return 'stale';
  return seq <= state.lastSeq || isEnded(state.status) ? 'duplicate' : 'applied';
}

/**
 * Returns the state after a report whose outcome is `applied`. `at` is the report's time, clamped by {@link
 * clampAgentTime}.
 */
export function applyReport(
  state: WorkState,
  report: Report,
  { now, createdAt, ...limits }: ReportContext,
): { readonly state: WorkState; readonly at: Date } {
  const at = clampAgentTime(report.occurredAt, { earliest: state.startedAt ?? createdAt, latest: now });
  const next = advance(state, triggerOf(report, state, limits), { now: at });
  return { state: { ...next, lastSeq: Math.max(state.lastSeq, report.seq) }, at };
}

function triggerOf(
  { result }: Report,
  state: WorkState,
  { maxAttempts, maxLostLeases }: Pick<ReportContext, 'maxAttempts' | 'maxLostLeases'>,
): Trigger {
  if (result.type === 'completed') return { type: 'agent_completed' };
  if (result.type !== 'failed') return { type: 'agent_alive' };
  const { error, isRetryable } = result.failure;
  if (!isRetryable) return { type: 'agent_failed', error };
  if (error.code === 'lease_lost') return contactLost(state, { maxLostLeases, error });
  return state.attempts < maxAttempts ? { type: 'attempt_lost' } : { type: 'attempts_exhausted', error };
}

/**
 * Clamps `at` to the range from `earliest` to `latest`, because an agent's clock may be wrong. Returns
 * `latest` if `earliest` is later than `latest`, or if `at` is not a valid date.
 */
export function clampAgentTime(at: Date, { earliest, latest }: { earliest: Date; latest: Date }): Date {
  if (!(at <= latest) || earliest > latest) return latest; // `at` may be an invalid date
  return at < earliest ? earliest : at;
}
