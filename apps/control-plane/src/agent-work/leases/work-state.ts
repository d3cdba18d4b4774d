import type { FieldProblem } from '../../http/errors/api-error.js';

/**
 * The life of work that agents do under leases (a sync job, a snapshot being made, a restore), without clock or database.
 *
 *            lease_taken ┐                       ┌ lease_taken
 *                      ┌─▼──────┐  agent_alive ┌─▼──────┐ agent_completed ┌───────────┐
 *   accepted ─────────▶│ pending├─────────────▶│ running├────────────────▶│ completed │
 *                      └─┬────┬─┘              └─┬────┬─┘                 └───────────┘
 *           attempt_lost ┘    │     attempt_lost ┘    │ agent_failed, attempts_exhausted, cancel_requested
 *                             └───────────────────────┴──────────────────▶ failed
 *
 * I1  completed and failed are final: nothing changes work that ended.
 * I2  epoch and attempts grow by one with each lease taken, and with nothing else.
 * I3  a lease is held only while the job is pending or running.
 * I4  startedAt is set on leaving pending for running or completed, and never changes afterwards.
 * I5  completedAt is set exactly while the job is completed or failed; an error exactly while it is failed.
 * I6  a job is never running without startedAt; startedAt ≤ completedAt.
 * I7  a lost attempt leaves the status as it is, unless the job is to be cancelled: retries happen inside it.
 * I8  a job that is to be cancelled takes no further lease, and ends completed or with the error `cancelled`.
 * I9  a job that nobody holds ends when it is to be cancelled; one that is leased goes on until the lease owner reports its end.
 */
export const WORK_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type WorkStatus = (typeof WORK_STATUSES)[number];

export type Trigger =
  | { readonly type: 'lease_taken'; readonly agentId: string; readonly leaseMs: number }
  /** Started, progress or a trained model: the agent works on it. */
  | { readonly type: 'agent_alive' }
  | { readonly type: 'agent_completed' }
  | { readonly type: 'agent_failed'; readonly error: JobError }
  /** The attempt ended without a result and another one is allowed. */
  | { readonly type: 'attempt_lost' }
  /** The attempt ended without a result and was the last one. */
  | { readonly type: 'attempts_exhausted'; readonly error: JobError }
  | { readonly type: 'cancel_requested' };

export interface JobError {
  readonly code: string;
  readonly message: string;
  /** What stands in the way, at the places of the request. */
  readonly details?: readonly FieldProblem[];
}

export interface WorkState {
  readonly status: WorkStatus;
  readonly attempts: number;
  readonly epoch: number;
  /** Highest event number applied within the epoch. */
  readonly lastSeq: number;
  /** The owner of the newest lease, also after it ended. */
  readonly agentId: string | null;
  readonly leasedAt: Date | null;
  readonly leaseExpiresAt: Date | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly error: JobError | null;
  readonly cancelRequestedAt: Date | null;
}

/** `stay` keeps everything as it is; the others are the functions below. */
type Act = 'stay' | 'lease' | 'start' | 'finish' | 'release' | 'cancel';

interface Transition {
  readonly to: WorkStatus;
  readonly act: Act;
}

type Transitions = Readonly<Record<Trigger['type'], Transition>>;

export const TRANSITIONS: Readonly<Record<WorkStatus, Transitions>> = {
  pending: {
    lease_taken: { to: 'pending', act: 'lease' },
    agent_alive: { to: 'running', act: 'start' },
    agent_completed: { to: 'completed', act: 'finish' },
    agent_failed: { to: 'failed', act: 'finish' },
    attempt_lost: { to: 'pending', act: 'release' },
    attempts_exhausted: { to: 'failed', act: 'finish' },
    cancel_requested: { to: 'pending', act: 'cancel' },
  },
  running: {
    lease_taken: { to: 'running', act: 'lease' },
    agent_alive: { to: 'running', act: 'stay' },
    agent_completed: { to: 'completed', act: 'finish' },
    agent_failed: { to: 'failed', act: 'finish' },
    attempt_lost: { to: 'running', act: 'release' },
    attempts_exhausted: { to: 'failed', act: 'finish' },
    cancel_requested: { to: 'running', act: 'cancel' },
  },
  completed: final('completed'),
  failed: final('failed'),
};

/** I1: no trigger changes work that ended. */
function final(to: WorkStatus): Transitions {
  const stay = { to, act: 'stay' } as const;
  return {
    lease_taken: stay,
    agent_alive: stay,
    agent_completed: stay,
    agent_failed: stay,
    attempt_lost: stay,
    attempts_exhausted: stay,
    cancel_requested: stay,
  };
}

/** Pure. @param now when it happened; for the agent's reports already brought into this side's time */
export function advance(state: WorkState, trigger: Trigger, { now }: { now: Date }): WorkState {
  const { to, act } = TRANSITIONS[state.status][trigger.type];
  if (act === 'stay') return state;
  if (act === 'cancel') return cancel(state, now);
  if (act === 'release') return endIfCancelled({ ...state, leaseExpiresAt: null }, now);
  if (act === 'start') return { ...state, status: to, startedAt: state.startedAt ?? now };
  if (act === 'lease') return trigger.type === 'lease_taken' ? lease(state, trigger, now) : state;
  return finish(state, 'error' in trigger ? trigger.error : null, now);
}

function cancel(state: WorkState, now: Date): WorkState {
  return endIfCancelled({ ...state, cancelRequestedAt: state.cancelRequestedAt ?? now }, now);
}

/** A job that is to be cancelled and that nobody holds has nothing to wait for. */
function endIfCancelled(state: WorkState, now: Date): WorkState {
  const isOver = state.cancelRequestedAt !== null && state.leaseExpiresAt === null;
  return isOver ? finish(state, CANCELLED, now) : state;
}

/** @param error null for success */
function finish(state: WorkState, error: JobError | null, now: Date): WorkState {
  const startedAt = error === null ? (state.startedAt ?? now) : state.startedAt;
  return {
    ...state,
    status: error === null ? 'completed' : 'failed',
    leaseExpiresAt: null,
    startedAt,
    completedAt: startedAt !== null && startedAt > now ? startedAt : now,
    // However it came to fail: whoever wanted it cancelled need not look into that.
    error: error !== null && state.cancelRequestedAt !== null ? CANCELLED : error,
  };
}

export const CANCELLED: JobError = {
  code: 'cancelled',
  message: 'The job was cancelled. The target is as it was before.',
};

function lease(state: WorkState, trigger: { agentId: string; leaseMs: number }, now: Date): WorkState {
  if (state.cancelRequestedAt !== null) return state;
  return {
    ...state,
    attempts: state.attempts + 1,
    epoch: state.epoch + 1,
    lastSeq: 0,
    agentId: trigger.agentId,
    leasedAt: now,
    leaseExpiresAt: new Date(now.getTime() + trigger.leaseMs),
  };
}

export function isEnded(status: WorkStatus): boolean {
  return status === 'completed' || status === 'failed';
}

/** Accepted, not ended, and nobody's: the dispatcher may give it away. */
export function isWaiting(state: Pick<WorkState, 'status' | 'leaseExpiresAt'>): boolean {
  return !isEnded(state.status) && state.leaseExpiresAt === null;
}

/** Whole seconds from the start to the end; 0 for work that never started. */
export function durationSeconds({ startedAt, completedAt }: WorkState): number {
  if (startedAt === null || completedAt === null) return 0;
  return Math.round((completedAt.getTime() - startedAt.getTime()) / 1000);
}
