import type { FieldProblem } from '../../../platform/http/errors/api-error.js';

/**
 * The state machine of work that agents run under leases: a sync job, the creation of a snapshot, or a
 * restore. It is pure: it uses no clock and no database.
 *
 *            lease_taken ┐                       ┌ lease_taken
 *                      ┌─▼──────┐  agent_alive ┌─▼──────┐ agent_completed ┌───────────┐
 * accepted ─────────▶│ pending├─────────────▶│ running├────────────────▶│ completed │
 *                      └─┬────┬─┘              └─┬────┬─┘                 └───────────┘
 *           attempt_lost ┤    │     attempt_lost ┤    │ agent_failed, attempts_exhausted, cancel_requested
 *             lease_lost ┤    │       lease_lost ┤    │
 *         lease_returned ┘    │   lease_returned ┘    │
 *                             └───────────────────────┴──────────────────▶ failed
 *
 * Invariants:
 * - I1: `completed` and `failed` are final. No trigger changes work that has ended.
 * - I2: Only a new lease increments `epoch` and `attempts`, each by one. `epoch` never decreases.
 * - I3: An agent holds a lease only while the work is pending or running.
 * - I4: `startedAt` is set when the work changes from pending to running or completed, and never changes
 *   afterwards.
 * - I5: Only completed or failed work has `completedAt`, and only failed work has an error.
 * - I6: Running work has `startedAt`, and `startedAt` ≤ `completedAt`.
 * - I7: Without a cancel request, a lost attempt and a lost or returned lease do not change the status. The
 *   work waits for its retry.
 * - I8: After a cancel request, the work gets no further lease. It ends as completed, or with the error
 *   `cancelled`.
 * - I9: A cancel request immediately ends work without a lease. Leased work continues until its agent reports
 *   the end or the lease ends.
 * - I10: Only a lost or returned lease decrements `attempts`, by one, and only while it is held. A lost lease
 *   also increments `lostLeases` by one. `attempts` is never negative.
 */
export const WORK_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type WorkStatus = (typeof WORK_STATUSES)[number];

export type Trigger =
  | {
      readonly type: 'lease_taken';
      readonly agentId: string;
      readonly leaseMs: number;
      readonly graceSeconds: number;
    }
  /** The agent reported a start, progress or a trained model. */
  | { readonly type: 'agent_alive' }
  | { readonly type: 'agent_completed' }
  | { readonly type: 'agent_failed'; readonly error: JobError }
  /** The attempt ended without a result and another one is allowed. */
  | { readonly type: 'attempt_lost' }
  /** The agent lost only its contact to the control plane, so the attempt does not count. */
  | { readonly type: 'lease_lost' }
  /**
   * The control plane ended the lease: the command was not sent, an administrator released the work, or the
   * agent was revoked. The attempt does not count.
   */
  | { readonly type: 'lease_returned' }
  /** The attempt ended without a result and was the last one. */
  | { readonly type: 'attempts_exhausted'; readonly error: JobError }
  | { readonly type: 'cancel_requested' };

export interface JobError {
  readonly code: string;
  readonly message: string;
  /** Problems, each with the path of the request field that it concerns. */
  readonly details?: readonly FieldProblem[];
}

export interface WorkState {
  readonly status: WorkStatus;
  /** The number of leases, without those that were lost or returned. */
  readonly attempts: number;
  readonly lostLeases: number;
  readonly epoch: number;
  /** Number of the last event that was applied in this epoch; 0 if none. */
  readonly lastSeq: number;
  /** The agent that received the newest lease. The lease may have ended. */
  readonly agentId: string | null;
  readonly leasedAt: Date | null;
  readonly leaseExpiresAt: Date | null;
  /** The grace period of the newest lease. Each renewal extends the lease by it. */
  readonly graceSeconds: number;
  /** When a heartbeat last renewed the newest lease; null before the first one. */
  readonly renewedAt: Date | null;
  /** When the agent took the PostgreSQL snapshot that it holds on the source; null if it holds none. */
  readonly snapshotTakenAt: Date | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly error: JobError | null;
  readonly cancelRequestedAt: Date | null;
}

/** The effect of a transition. `stay` changes nothing; {@link advance} implements the other effects. */
type Act = 'stay' | 'lease' | 'start' | 'finish' | 'release' | 'return' | 'cancel';

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
    lease_lost: { to: 'pending', act: 'return' },
    lease_returned: { to: 'pending', act: 'return' },
    attempts_exhausted: { to: 'failed', act: 'finish' },
    cancel_requested: { to: 'pending', act: 'cancel' },
  },
  running: {
    lease_taken: { to: 'running', act: 'lease' },
    agent_alive: { to: 'running', act: 'stay' },
    agent_completed: { to: 'completed', act: 'finish' },
    agent_failed: { to: 'failed', act: 'finish' },
    attempt_lost: { to: 'running', act: 'release' },
    lease_lost: { to: 'running', act: 'return' },
    lease_returned: { to: 'running', act: 'return' },
    attempts_exhausted: { to: 'failed', act: 'finish' },
    cancel_requested: { to: 'running', act: 'cancel' },
  },
  completed: final('completed'),
  failed: final('failed'),
};

/** Returns the transitions of a final status. No trigger changes such a status (I1). */
function final(to: WorkStatus): Transitions {
  const stay = { to, act: 'stay' } as const;
  return {
    lease_taken: stay,
    agent_alive: stay,
    agent_completed: stay,
    agent_failed: stay,
    attempt_lost: stay,
    lease_lost: stay,
    lease_returned: stay,
    attempts_exhausted: stay,
    cancel_requested: stay,
  };
}

/**
 * Returns the state after a trigger.
 * @param now the time of the trigger. The caller must clamp the time of an agent's report with {@link
 *   clampAgentTime}.
 */
export function advance(state: WorkState, trigger: Trigger, { now }: { now: Date }): WorkState {
  const { to, act } = TRANSITIONS[state.status][trigger.type];
  if (act === 'stay') return state;
  if (act === 'cancel') return cancel(state, now);
  if (act === 'release') return release(state, now);
  if (act === 'return') return takeBack(state, trigger.type === 'lease_lost' ? 1 : 0, now);
  if (act === 'start') return { ...state, status: to, startedAt: state.startedAt ?? now };
  if (act === 'lease') return trigger.type === 'lease_taken' ? lease(state, trigger, now) : state;
  return finish(state, 'error' in trigger ? trigger.error : null, now);
}

function release(state: WorkState, now: Date): WorkState {
  return endIfCancelled({ ...state, leaseExpiresAt: null, snapshotTakenAt: null }, now);
}

/** Ends the lease and does not count its attempt. Does nothing if the lease has already ended. */
function takeBack(state: WorkState, lost: 0 | 1, now: Date): WorkState {
  if (state.leaseExpiresAt === null) return state;
  const attempts = Math.max(0, state.attempts - 1);
  return release({ ...state, attempts, lostLeases: state.lostLeases + lost }, now);
}

function cancel(state: WorkState, now: Date): WorkState {
  return endIfCancelled({ ...state, cancelRequestedAt: state.cancelRequestedAt ?? now }, now);
}

/** Ends work that has a cancel request and no lease. */
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
    snapshotTakenAt: null,
    startedAt,
    completedAt: startedAt !== null && startedAt > now ? startedAt : now,
    // After a cancel request, every failure is reported as `cancelled`.
    error: error !== null && state.cancelRequestedAt !== null ? CANCELLED : error,
  };
}

export const CANCELLED: JobError = {
  code: 'cancelled',
  message: 'The job was cancelled. The target is as it was before.',
};

type LeaseTaken = Extract<Trigger, { readonly type: 'lease_taken' }>;

function lease(state: WorkState, trigger: LeaseTaken, now: Date): WorkState {
  if (state.cancelRequestedAt !== null) return state;
  return {
    ...state,
    attempts: state.attempts + 1,
    epoch: state.epoch + 1,
    lastSeq: 0,
    agentId: trigger.agentId,
    leasedAt: now,
    // The grace period begins with the first renewal, which shows that the agent has the command.
    leaseExpiresAt: new Date(now.getTime() + trigger.leaseMs),
    graceSeconds: trigger.graceSeconds,
    renewedAt: null,
    snapshotTakenAt: null,
  };
}

/**
 * Returns the trigger for work whose agent lost contact. The number of lost leases is limited, because the
 * work itself may be the reason why agents end.
 * @param error the error of work that has lost too many leases
 */
export function contactLost(
  { lostLeases, leaseExpiresAt }: WorkState,
  { maxLostLeases, error }: { readonly maxLostLeases: number; readonly error: JobError },
): Trigger {
  const isLast = leaseExpiresAt !== null && lostLeases + 1 >= maxLostLeases;
  return isLast ? { type: 'attempts_exhausted', error } : { type: 'lease_lost' };
}

export function isEnded(status: WorkStatus): boolean {
  return status === 'completed' || status === 'failed';
}

/** Checks that work has not ended and that no agent holds its lease, so that the dispatcher may assign it. */
export function isWaiting(state: Pick<WorkState, 'status' | 'leaseExpiresAt'>): boolean {
  return !isEnded(state.status) && state.leaseExpiresAt === null;
}

/**
 * Returns the time from the start to the end in whole seconds; 0 for work that never started or has not
 * ended.
 */
export function durationSeconds({ startedAt, completedAt }: WorkState): number {
  if (startedAt === null || completedAt === null) return 0;
  return Math.round((completedAt.getTime() - startedAt.getTime()) / 1000);
}
